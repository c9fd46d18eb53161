import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { CountedRefusal } from '../../errors.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import type { Verdict } from '../../guard/verdict.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import { type Memory, placeOf } from '../authorize-memory.ts'
import type { Draft } from '../records/save/draft.ts'
import { scopeOf } from '../visibility.ts'

/** `currentHash` is what an import sets as the current hash of the source. */
type Inspected = Pick<Draft, 'audience' | 'content' | 'factKey' | 'factKeyGiven' | 'sourceId' | 'sourceHash'> & {
  currentHash?: string | undefined
}

export const REJECTED = 'Memory rejected by Security Guard'

/**
 * Checks a record that is about to be saved with the Security Guard. A rejection is recorded in the audit log with its reason and the hash of the text, never
 * with any of its words; the caller gets only the contract's message. A trial run, in which nothing is saved, records no event.
 *
 * @throws Refusal if any text of the record resembles instructions for agents, unless the account has allowed exactly that text.
 */
export async function passGuard(ctx: AppContext, actor: Actor, memory: Memory, draft: Inspected, isTrial = false): Promise<void> {
  const rejected = await findRejected(memory, draft)
  if (rejected === undefined) return
  const { field, hash, verdict } = rejected
  if (isTrial) throw new CountedRefusal('guard', REJECTED, field)
  const rules = [...new Set(verdict.signs.map(({ rule }) => rule))].join(', ')
  const score = Math.round(verdict.score * 1000) / 1000
  const details = { scope: scopeOf(draft.audience), field, family: verdict.family ?? null, rules, view: verdict.view, score }
  await recordEventAlone(ctx, actor, { act: 'record.reject', ...placeOf(memory), target: hash, outcome: 'refused', details })
  throw new CountedRefusal('guard', REJECTED, field)
}

/**
 * Matches a source hash that may be worded: other characters than those of ASCII, or three words in a row. The guard takes other hashes, whose letters are
 * random, for a cipher once in a thousand. Of 20 000 hashes of each of 17 forms, such as base64, none that matches is rejected.
 */
const MAY_BE_WORDED = /[^ -~]|[A-Za-z]{2,}(?:[^A-Za-z0-9]+[A-Za-z]{2,}){2}|(?:[A-Z][a-z]+){4}/

/** The first rejected text of a record. */
async function findRejected({ records }: Memory, draft: Inspected): Promise<{ field: string; hash: string; verdict: Verdict } | undefined> {
  for (const [field, text] of listTexts(draft)) {
    const verdict = await inspectInSlices(text, field === 'content' ? 'prose' : 'name')
    if (!verdict.rejected) continue
    const hash = sha256Hex(text)
    if (!(await records.isAllowed(hash))) return { field, hash, verdict }
  }
  return undefined
}

/** The texts that an assistant will read. A derived fact key is left out, because it consists of words of the content. */
function listTexts({ content, factKey, factKeyGiven, sourceId, sourceHash, currentHash }: Inspected): [field: string, text: string][] {
  const texts = {
    content,
    fact_key: factKeyGiven ? factKey : null,
    source_id: sourceId,
    source_hash: onlyWorded(sourceHash),
    source_current_hash: onlyWorded(currentHash),
  }
  return Object.entries(texts).flatMap(([field, text]) => (text === null ? [] : [[field, text]]))
}

const onlyWorded = (hash: string | null = null) => (hash !== null && MAY_BE_WORDED.test(hash) ? hash : null)
