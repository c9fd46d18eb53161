import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { CountedRefusal } from '../../errors.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import type { Verdict } from '../../guard/verdict.ts'
import { maskCredentials } from '../../secrets/credentials.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Account } from '../../store/account.ts'
import type { Draft } from '../records/save/draft.ts'
import { type Memory, placeOf, scopeOf } from '../visibility.ts'
import { listTexts } from './record-texts.ts'

/** `currentHash` is what an import sets as the current hash of the source. */
type Inspected = Pick<
  Draft,
  'audience' | 'content' | 'askedAs' | 'factKey' | 'factKeyGiven' | 'sourceId' | 'sourceHash'
> & {
  currentHash?: string | undefined
}

export const REJECTED = 'Memory rejected by Security Guard'

/**
 * Checks a record that is about to be saved with the Security Guard. Returns whether it is to be saved as marked. A
 * rejection is recorded in the audit log with its reason and the hash of the text, never with any of its words; the
 * caller gets the contract's message, and what in the text led to it as advice. A trial run, in which nothing is saved,
 * records no event.
 *
 * @throws Refusal if any text of the record resembles instructions for agents, unless the account has allowed exactly
 *   that text; with the account's policy `reject`, also if the guard only marks it.
 */
export async function passGuard(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  draft: Inspected,
  isTrial = false,
): Promise<boolean> {
  const judged = await findJudged(memory, draft)
  if (judged === undefined) return false
  const { field, hash, verdict } = judged
  if (!isRefused(verdict, memory.account)) return true
  const refusal = new CountedRefusal('guard', REJECTED, field, await toAdvice(verdict))
  if (isTrial) throw refusal
  const rules = verdict.reasons.flatMap(({ rule }) => (rule === '' ? [] : [rule])).join(', ')
  const score = Math.round(verdict.score * 1000) / 1000
  const why = verdict.reasons.map(({ says }) => says).join('; ')
  const details = {
    scope: scopeOf(draft.audience),
    field,
    family: verdict.family ?? null,
    why,
    rules,
    view: verdict.view,
    score,
  }
  await recordEventAlone(ctx, actor, {
    act: 'record.reject',
    ...placeOf(memory),
    target: hash,
    outcome: 'refused',
    details,
  })
  throw refusal
}

/** Whether an account refuses a text with this verdict. */
export function isRefused({ verdict }: Verdict, { markedPolicy }: Pick<Account, 'markedPolicy'>): boolean {
  return verdict === 'refused' || (verdict === 'marked' && markedPolicy === 'reject')
}

/** Characters of a text that a reason quotes. */
const MAX_QUOTED_CHARACTERS = 80

/** What in a text led to the verdict, for its author, and what to do. Credentials in the quoted words are masked. */
async function toAdvice({ reasons }: Verdict): Promise<string> {
  const says = reasons.map(async ({ says, words }) => (words === '' ? says : `${says} (“${await toQuote(words)}”)`))
  return `The text reads like an instruction to an assistant: ${(await Promise.all(says)).join('; ')}. Save what is so or was decided, not what its reader is to do; an owner or admin can let exactly this text pass, on the page Guard of the console.`
}

async function toQuote(words: string): Promise<string> {
  const masked = (await maskCredentials(words)).replace(/\s+/g, ' ')
  return masked.length <= MAX_QUOTED_CHARACTERS ? masked : `${masked.slice(0, MAX_QUOTED_CHARACTERS)}…`
}

/**
 * Matches a source hash that may be worded: other characters than those of ASCII, or three words in a row. The guard
 * takes other hashes, whose letters are random, for a cipher once in a thousand. Of 20 000 hashes of each of 17 forms,
 * such as base64, none that matches is rejected.
 */
const MAY_BE_WORDED = /[^ -~]|[A-Za-z]{2,}(?:[^A-Za-z0-9]+[A-Za-z]{2,}){2}|(?:[A-Z][a-z]+){4}/

/** The arguments that are sentences, not names. */
const PROSE = new Set(['content', 'asked_as'])
const HASHES = new Set(['source_hash', 'source_current_hash'])

type Judged = { field: string; hash: string; verdict: Verdict }

/**
 * The first text of a record that is refused, else the first that is marked; none that the account has allowed or, with
 * the policy `allow`, only marks.
 */
async function findJudged({ records, account }: Memory, draft: Inspected): Promise<Judged | undefined> {
  let marked: Judged | undefined
  for (const [field, text] of listInspected(draft)) {
    const verdict = await inspectInSlices(text, PROSE.has(field) ? 'prose' : 'name')
    if (verdict.verdict === 'clean' || (verdict.verdict === 'marked' && account.markedPolicy === 'allow')) continue
    const hash = sha256Hex(text)
    if ((await records.findRelease(hash))?.state === 'allowed') continue
    const judged = { field, hash, verdict }
    if (isRefused(verdict, account)) return judged
    marked ??= judged
  }
  return marked
}

/** The texts that an assistant will read; of hashes those that may be worded. */
function listInspected(inspected: Inspected): [field: string, text: string][] {
  const texts = listTexts(inspected).map(({ field, text }): [string, string] => [field, text])
  if (inspected.currentHash !== undefined) texts.push(['source_current_hash', inspected.currentHash])
  return texts.filter(([field, text]) => !HASHES.has(field) || MAY_BE_WORDED.test(text))
}
