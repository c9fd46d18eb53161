import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { toDraft } from '../records/draft.ts'
import { readTime } from '../records/read-time.ts'
import type { Entry } from './entry.ts'
import type { Incoming } from './keep-draft.ts'

/** Makes a record of an entry by the rules of `remember`, then gives it what it had elsewhere. Throws a Refusal. */
export async function toIncoming(ctx: AppContext, caller: Caller, entry: Entry): Promise<Incoming> {
  const { id, status = 'unverified', superseded_by: supersededBy = null, created_at: createdAt } = entry
  const at = createdAt === undefined ? ctx.clock.now() : readTime('created_at', createdAt)
  const draft = await toDraft({ ...ctx, clock: { ...ctx.clock, now: () => at } }, caller, entry)
  const { source_current_hash: hash, source_turn: saveSequence } = entry
  return {
    draft: { ...draft, id: id ?? draft.id, status, supersededBy },
    hasId: id !== undefined,
    source: hash === undefined || saveSequence === undefined ? undefined : { hash, saveSequence },
  }
}
