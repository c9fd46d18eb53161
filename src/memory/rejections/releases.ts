import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager, toActorId } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { ProjectWrites } from '../../store/project.ts'
import { MAX_CONTENT_BYTES } from '../records/save/draft.ts'
import { requireText } from '../records/text-argument.ts'
import { authorizeMemory, type Memory, placeOf } from '../visibility.ts'
import { passText } from './pass-credentials.ts'
import { isRefused } from './pass-guard.ts'

/*
 * A release lets one text pass the guard in one project. A member asks for it; an owner or admin, or the operator,
 * decides. A text is identified by its SHA-256 in hexadecimal, here and in the audit log.
 */

/** Texts that may wait for a decision at a time: of one member, and of a project. */
const MAX_ASKED_BY_MEMBER = 10
export const MAX_ASKED = 100
/** Characters of the reason that a member gives. */
const MAX_WHY_CHARACTERS = 500

/** Identifies a text of a project by its hash. */
export type ReleaseRef = { projectId: string; hash: string }

const HASH = /^[0-9a-f]{64}$/

/** Whether a text has the form of a hash: SHA-256 in hexadecimal. */
export function isContentHash(text: string): boolean {
  return HASH.test(text)
}

/**
 * Requests that a text may pass the guard. From now on owners and admins of the account can read the text; the audit
 * log has only its hash. An existing request for the same text stays unchanged. Returns the hash.
 *
 * @throws Refusal for a text that contains a credential, that the guard does not reject or that is already allowed, and
 *   if too many texts wait.
 */
export async function askRelease(
  ctx: AppContext,
  actor: Actor,
  { projectId, ...input }: { projectId: string; text: string; why: string },
): Promise<string> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const text = await passText(ctx, actor, memory, {
    name: 'the text',
    field: 'text',
    text: requireReleasable(input.text),
  })
  const why = await passText(ctx, actor, memory, { name: 'the reason', field: 'why', text: requireWhy(input.why) })
  // The text may have been a content, or the name of a source or fact.
  const verdicts = [await inspectInSlices(text), await inspectInSlices(text, 'name')]
  const verdict = verdicts.find((one) => isRefused(one, memory.account))
  if (verdict === undefined) throw new Refusal('the guard lets this text pass; save it again')
  const hash = sha256Hex(text)
  const asked = { askedBy: toActorId(actor), askedAt: ctx.clock.now(), decidedBy: null, decidedAt: null }
  const isNew = await memory.records.write(async (tx) => {
    const known = await tx.findRelease(hash)
    if (known?.state === 'allowed') throw new Refusal('this text may pass already; save it again')
    if (known?.state === 'asked') return false
    await requireRoomToAsk(tx, asked.askedBy)
    await tx.saveRelease({
      hash,
      state: 'asked',
      text,
      reason: verdict.reasons.map(({ says }) => says).join('; '),
      why,
      ...asked,
    })
    return true
  })
  if (isNew) await recordRelease(ctx, actor, memory, 'guard.ask', hash)
  return hash
}

/** @throws Refusal for a text that could not be the content of a record. */
export function requireReleasable(text: string): string {
  const size = Buffer.byteLength(text, 'utf8')
  if (size > MAX_CONTENT_BYTES)
    throw new Refusal(`the text is too large: ${size} bytes of at most ${MAX_CONTENT_BYTES}`, 'text')
  return requireText('the text', text, 'text')
}

function requireWhy(text: string): string {
  const why = text.trim()
  if (why.length > MAX_WHY_CHARACTERS)
    throw new Refusal(`the reason must have at most ${MAX_WHY_CHARACTERS} characters`, 'why')
  return requireText('the reason', why, 'why')
}

async function requireRoomToAsk(tx: ProjectWrites, askedBy: string): Promise<void> {
  const [own, all] = [await tx.countReleases({ state: 'asked', askedBy }), await tx.countReleases({ state: 'asked' })]
  if (own >= MAX_ASKED_BY_MEMBER)
    throw new Refusal(`you have asked for ${own} texts already; wait until they are decided, or take some back`)
  if (all >= MAX_ASKED)
    throw new Refusal('too many texts wait for a decision in this project; try again when some are decided')
}

/**
 * Revokes the permission of a text to pass. Records that hold the text stay.
 *
 * @throws Refusal for an actor who does not manage the account, and for a text that is not allowed.
 */
export async function revokeRelease(ctx: AppContext, actor: Actor, { projectId, hash }: ReleaseRef): Promise<void> {
  const memory = await openManaged(ctx, actor, projectId, 'read')
  await memory.records.write(async (tx) => {
    if ((await tx.findRelease(hash))?.state !== 'allowed')
      throw new Refusal(`the text '${requireHash(hash)}' may not pass`)
    await tx.deleteReleases({ hash })
  })
  await recordRelease(ctx, actor, memory, 'guard.revoke', hash)
}

/**
 * Withdraws a request of the actor, and erases the text.
 *
 * @throws Refusal for a text that the actor did not request or that is already decided.
 */
export async function withdrawRelease(ctx: AppContext, actor: Actor, { projectId, hash }: ReleaseRef): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  await memory.records.write(async (tx) => {
    const asked = await tx.findRelease(hash)
    if (asked?.state !== 'asked' || asked.askedBy !== toActorId(actor))
      throw new Refusal('you do not ask for this text any more')
    await tx.deleteReleases({ hash })
  })
  await recordRelease(ctx, actor, memory, 'guard.withdraw', hash)
}

export async function openManaged(
  ctx: AppContext,
  actor: Actor,
  projectId: string,
  access: 'read' | 'write',
): Promise<Memory> {
  const memory = await authorizeMemory(ctx, actor, projectId, access)
  requireManager(actor, memory.account.id)
  return memory
}

export function requireHash(hash: string): string {
  if (!isContentHash(hash)) throw new Refusal('the hash of a content has 64 digits, 0 to 9 and a to f')
  return hash
}

export function recordRelease(ctx: AppContext, actor: Actor, memory: Memory, act: string, hash: string): Promise<void> {
  return recordEventAlone(ctx, actor, { act, ...placeOf(memory), target: hash })
}
