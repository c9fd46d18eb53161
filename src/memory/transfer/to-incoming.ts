import type { Caller } from '../../account/caller.ts'
import type { Means } from '../../account/means.ts'
import { toDraft } from '../draft.ts'
import { readTime } from '../time.ts'
import type { Entry } from './entry.ts'
import type { Incoming } from './keep-draft.ts'

/** Makes a record of an entry by the rules of `remember`, then gives it what it had elsewhere. Throws a Refusal. */
export async function toIncoming({ clock, random }: Pick<Means, 'clock' | 'random'>, caller: Caller, entry: Entry): Promise<Incoming> {
  const { id, status = 'unverified', superseded_by: supersededBy = null, created_at: createdAt } = entry
  const at = createdAt === undefined ? clock.now() : readTime('created_at', createdAt)
  const draft = await toDraft({ clock: { ...clock, now: () => at }, random }, caller, entry)
  const { source_current_hash: hash, source_turn: turn } = entry
  return {
    draft: { ...draft, id: id ?? draft.id, status, supersededBy },
    hasId: id !== undefined,
    source: hash === undefined || turn === undefined ? undefined : { hash, turn },
  }
}
