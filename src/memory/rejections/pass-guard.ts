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

type Inspected = Pick<Draft, 'audience' | 'content' | 'factKey' | 'factKeyGiven' | 'sourceId'>

const REJECTED = 'Memory rejected by Security Guard'

/**
 * Lets a record pass to be saved. A rejection is recorded in the audit log with the reason and the hash of the text, never with a word of it; the caller
 * reads the contract's text alone. A trial, of what is not to be saved now, leaves no event.
 *
 * @throws Refusal for a record of which any text resembles instructions for agents, unless people of the account allowed just that text.
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

/** The first rejected text among those that an assistant will read. A derived fact key is a part of the content. */
async function findRejected(
  { records }: Memory,
  { content, factKey, factKeyGiven, sourceId }: Inspected,
): Promise<{ field: string; hash: string; verdict: Verdict } | undefined> {
  const fields = { content, fact_key: factKeyGiven ? factKey : null, source_id: sourceId }
  for (const [field, text] of Object.entries(fields)) {
    if (text === null) continue
    const verdict = await inspectInSlices(text)
    if (!verdict.rejected) continue
    const hash = sha256Hex(text)
    if (!(await records.isAllowed(hash))) return { field, hash, verdict }
  }
  return undefined
}
