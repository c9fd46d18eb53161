import { type AuditEvent, recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { CountedRefusal } from '../../errors.ts'
import { findCredentials, maskFound, toLineAndColumn } from '../../secrets/credentials.ts'
import type { Draft } from '../records/save/draft.ts'
import { toEntryInSlices } from '../search/index/index-entry.ts'
import { type Memory, placeOf } from '../visibility.ts'
import { DEFAULT_WORKSPACE } from '../workspaces/workspace.ts'
import { changeTexts } from './record-texts.ts'

/**
 * The record as it may be saved under the account's policy for credentials: unchanged if it contains none or the policy
 * is `allow`, with masks under `mask`. A trial run, in which nothing is saved, records no event. `toPlace` says where a
 * place in the content is, such as in the file that it is a part of.
 *
 * @throws Refusal for a record that contains a credential, under `reject`.
 */
export async function passCredentials(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  draft: Draft,
  { isTrial = false, toPlace }: Pick<CheckedText, 'isTrial' | 'toPlace'> = {},
): Promise<Draft> {
  const texts = await changeTexts(draft, (field, text) =>
    passText(ctx, actor, memory, { field, text, isTrial, ...(field === 'content' && { toPlace }) }),
  )
  if (draft.workspace !== DEFAULT_WORKSPACE)
    await passName(ctx, actor, memory, { field: 'workspace', text: draft.workspace, isTrial })
  const isSame = Object.entries(texts).every(([name, text]) => text === draft[name as keyof typeof texts])
  return isSame ? draft : { ...draft, ...texts, entry: await toEntryInSlices(texts) }
}

/**
 * Refuses the name of a workspace in which a credential stands, also where the account's policy is to mask them: a mask
 * would be a name that somebody else's records are saved under.
 *
 * @throws Refusal for it, unless the policy is `allow`.
 */
export async function passName(ctx: AppContext, actor: Actor, memory: Memory, checked: CheckedText): Promise<void> {
  const { credentialPolicy } = memory.account
  const account = {
    ...memory.account,
    credentialPolicy: credentialPolicy === 'mask' ? ('reject' as const) : credentialPolicy,
  }
  await passText(ctx, actor, { ...memory, account }, checked)
}

/** What an author can do instead. */
const ADVICE =
  'Save the name of the place where the secret is kept instead, such as the entry of the vault or the name of the variable, without the secret itself.'

const toWords = ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`

/** A text to check, and the argument or form field that it came in; messages call it by that unless it has a `name`. */
type CheckedText = {
  name?: string
  field: string
  text: string
  isTrial?: boolean
  toPlace?: ((place: { line: number; column: number }) => string) | undefined
}

/**
 * A text as it may be stored under the account's policy for credentials. A credential is recorded in the audit log by
 * its kind alone, without a hash of the text, from which a weak password could be guessed.
 *
 * @throws Refusal for a text that contains a credential, under `reject`.
 */
export async function passText(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  { field, name = field, text, isTrial = false, toPlace = toWords }: CheckedText,
): Promise<string> {
  const policy = memory.account.credentialPolicy
  const found = policy === 'allow' ? [] : await findCredentials(text)
  const [first] = found
  if (first === undefined) return text
  const log = async (event: Pick<AuditEvent, 'act' | 'outcome'>) => {
    if (!isTrial) await recordEventAlone(ctx, actor, { ...event, ...placeOf(memory), details: { kind: first.kind } })
  }
  if (policy === 'mask') {
    await log({ act: 'credential.mask' })
    return maskFound(text, found)
  }
  await log({ act: 'credential.reject', outcome: 'refused' })
  const where = `${first.kind}, ${toPlace(toLineAndColumn(text, first.start))}`
  throw new CountedRefusal(
    'credential',
    `${name} contains a credential (${where}); remove it and save again`,
    field,
    ADVICE,
  )
}
