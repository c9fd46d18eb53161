import { authorNames } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { DAY_MS, toIsoTime } from '../../../clock.ts'
import type { StoredAuditEntry } from '../../../store/audit.ts'
import type { StoredRecord } from '../../../store/record.ts'
import { findAuthorIds, type Viewer } from '../lists/record-filter.ts'
import { toAuthorId } from '../lists/timeline.ts'

/** Audit events that are read of an actor, and about as many records as are asked about at once. */
const MAX_EVENTS = 1_000
/** Records and sources that are asked about at once: with their events about 2 ms. */
const BATCH_TARGETS = 100

/** What an act forgot: a record, or all that have its time. */
const toForgotten = ({ target, details }: StoredAuditEntry) => details.forgotten_at ?? target

const isForgetting = ({ act, outcome }: StoredAuditEntry) => act === 'record.forget' && outcome === 'done'

/** Tells which forgotten records somebody of this name forgot, as far as their last 1 000 acts say. */
export async function findForgottenBy(
  ctx: AppContext,
  { accountId, projectId }: Viewer,
  name: string,
): Promise<(record: StoredRecord) => boolean> {
  const forgotten = new Set<unknown>()
  const from = ctx.clock.now() - ctx.config.trashDays * DAY_MS
  for (const id of await findAuthorIds(ctx, accountId, name))
    for (const actor of [`member:${id}`, `key:${id}`, id]) {
      const events = await ctx.store.control.listAudit({ accountId, actor, from, limit: MAX_EVENTS })
      for (const event of events)
        if (isForgetting(event) && event.projectId === projectId) forgotten.add(toForgotten(event))
    }
  return (record) => forgotten.has(record.id) || forgotten.has(toIsoTime(record.forgottenAt ?? 0))
}

type Forgotten = Pick<StoredRecord, 'id' | 'sourceId' | 'forgottenAt'>

/**
 * Who forgot a record; undefined where the log does not say, or no longer. `isAlone`: by an act on this record, whether
 * or not others have the same time.
 */
type Forgetting = { who: string | undefined; isAlone: boolean }

/** Returns a function that tells of one of these records what the log says of its forgetting. */
export async function nameForgetters(
  ctx: AppContext,
  { projectId }: Viewer,
  records: Forgotten[],
): Promise<(record: Forgotten) => Forgetting> {
  const { control } = ctx.store
  const named = [...new Set(records.flatMap(({ id, sourceId }) => (sourceId === null ? [id] : [id, sourceId])))]
  const events = await control.listRecordActs({ projectId, targets: null, limit: MAX_EVENTS })
  for (let at = 0; at < named.length; at += BATCH_TARGETS) {
    const targets = named.slice(at, at + BATCH_TARGETS)
    events.push(...(await control.listRecordActs({ projectId, targets, limit: MAX_EVENTS })))
  }
  // The last of the acts on a record that was forgotten, restored and forgotten again.
  const acts = events.filter(isForgetting).sort((a, b) => a.seq - b.seq)
  const names = await authorNames(ctx, new Set(acts.map(({ actor }) => toAuthorId(actor))))
  const who = new Map(acts.map((event) => [toForgotten(event), names.get(toAuthorId(event.actor))]))
  return ({ id, forgottenAt }) => {
    const time = toIsoTime(forgottenAt ?? 0)
    return { who: who.get(time) ?? who.get(id), isAlone: who.has(id) && !who.has(time) }
  }
}
