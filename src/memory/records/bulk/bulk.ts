import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { toIsoTime } from '../../../clock.ts'
import { isFinalRefusal, Refusal } from '../../../errors.ts'
import { maskCredentials } from '../../../secrets/credentials.ts'
import { passName } from '../../rejections/pass-credentials.ts'
import { authorizeMemory, type Memory, placeOf, type Scope, scopeOf } from '../../visibility.ts'
import { toFind } from '../trash/forget.ts'
import { forgetFound } from '../trash/forget-record.ts'
import { restoreFound } from '../trash/restore.ts'
import { Contested, unverifyFound, verifyUncontested } from '../verify.ts'
import { changeScope, ForeignScope, moveBack, moveFound, type RecordPlace, toPlaces } from './move.ts'

/** An operation on many records. */
export type BulkAct =
  | { kind: 'verify' }
  | { kind: 'forget'; stale?: boolean }
  | { kind: 'restore' }
  | { kind: 'move'; workspace: string }
  | { kind: 'scope'; scope: Scope }
  /** Undoes `verify`. */
  | { kind: 'unverify' }
  /** Undoes `move` and `scope`: each record returns to the place that `before` has for it. */
  | { kind: 'return'; before: Map<string, RecordPlace> }

/**
 * Number of records that were changed, and of those that were not: `contested` ones have a rival and need a decision of
 * their own; `foreign` ones belong to somebody else, so that the actor may not change their scope; `other` ones were
 * refused for other reasons; `reason` is the first of them. `before` names the changed records and where they were.
 */
export type BulkResult = {
  before: Map<string, RecordPlace>
  changed: number
  contested: number
  foreign: number
  other: number
  reason: string | undefined
}

/** `source`: the source whose records they are. */
type BulkInput = { projectId: string; act: BulkAct; ids: string[]; source?: string | undefined }

/** Maximum number of records that one operation changes. */
export const MAX_BULK_RECORDS = 10_000
/**
 * Up to this many records, as on one page of a list, the audit event names each of them; beyond, it has only their
 * number.
 */
const MAX_NAMED_RECORDS = 50
/** Records changed at a time; the store groups their writes into transactions. */
const BATCH_RECORDS = 16

const ACTS = {
  verify: 'record.verify',
  forget: 'record.forget',
  restore: 'record.restore',
  move: 'record.move',
  scope: 'record.scope',
  unverify: 'record.unverify',
  return: 'record.return',
} as const

/**
 * Applies an operation to many records that the actor may see, each as the operation on a single record would, and
 * skips those for which it is refused. Verifying also skips records that have a rival. One audit event has the number
 * of changed records and, up to 50, their ids; records verified or forgotten together can be found by its `verified_at`
 * or `forgotten_at`, which is their time. After a crash the remaining records are unchanged.
 *
 * @throws Refusal for an actor without the right, for no records, for more than 10 000, and for a workspace in whose
 *   name a credential stands; StorageRefusal as soon as the storage fails.
 */
export async function changeRecords(
  ctx: AppContext,
  actor: Actor,
  { projectId, act, ids, source }: BulkInput,
): Promise<BulkResult> {
  if (ids.length === 0) throw new Refusal('choose at least one record')
  if (ids.length > MAX_BULK_RECORDS) throw new Refusal(`at most ${MAX_BULK_RECORDS} records are changed at once`)
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  if (act.kind === 'move') await passName(ctx, actor, memory, { field: 'workspace', text: act.workspace })
  const now = ctx.clock.now()
  const change = toChange({ ctx, actor, memory, now }, act)
  const result: BulkResult = { changed: 0, contested: 0, foreign: 0, other: 0, reason: undefined, before: new Map() }
  const changeOne = async (id: string) => void result.before.set(id, await change(id))
  try {
    for (let at = 0; at < ids.length; at += BATCH_RECORDS) {
      const changes = ids.slice(at, at + BATCH_RECORDS).map((id) => count(result, () => changeOne(id)))
      // If one fails, the others may still succeed, and the audit event names them.
      await Promise.allSettled(changes)
      await Promise.all(changes)
    }
  } finally {
    if (result.changed > 0)
      await recordEventAlone(ctx, actor, {
        act: ACTS[act.kind],
        ...placeOf(memory),
        target: await toTarget(source, result),
        // In the order of the input, since several are changed concurrently.
        details: {
          ...toDetails(act, result, { now, changedIds: ids.filter((id) => result.before.has(id)) }),
          ...(act.kind === 'move' && (await toPlaces(memory, result.before.values(), act.workspace))),
        },
      })
  }
  return result
}

type BulkContext = { ctx: AppContext; actor: Actor; memory: Memory; now: number }

/**
 * Returns the function that changes one record and returns where it was. It throws a Refusal for a record that it
 * leaves unchanged.
 */
function toChange({ ctx, actor, memory, now }: BulkContext, act: BulkAct): (id: string) => Promise<RecordPlace> {
  switch (act.kind) {
    case 'verify':
      return (id) => verifyUncontested(memory, id, now)
    case 'unverify':
      return (id) => unverifyFound(memory, id, now)
    case 'forget':
      return (id) => forgetOne(memory, id, { now, stale: act.stale ?? false })
    case 'restore':
      return async (id) => (await restoreFound(ctx, memory, id)).record
    case 'move':
      return async (id) => (await moveFound(ctx, memory, id, act.workspace)).before
    case 'scope':
      return async (id) => (await changeScope(ctx, memory, actor, { id, scope: act.scope })).before
    case 'return':
      return async (id) => (await moveBack(ctx, memory, id, act.before.get(id))).before
  }
}

async function forgetOne(
  { records, visible }: Memory,
  id: string,
  { now, stale }: { now: number; stale: boolean },
): Promise<RecordPlace> {
  const gone = await forgetFound(records, toFind(visible, id, stale, now), { now, byAssistant: false })
  if (gone === undefined) throw new Refusal(`no record '${id}'`)
  return gone.head
}

async function count(result: BulkResult, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
    result.changed += 1
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    if (error instanceof Contested) result.contested += 1
    else if (error instanceof ForeignScope) result.foreign += 1
    else {
      result.other += 1
      result.reason ??= error.message
    }
  }
}

/**
 * A single record, or the source that all are of. As everywhere in the log, the name of a source stands there only if
 * everybody sees a record of it.
 */
async function toTarget(source: string | undefined, { before }: BulkResult): Promise<string | null> {
  const isAnyShared = [...before.values()].some(({ audience }) => audience === '*')
  if (source !== undefined) return isAnyShared ? await maskCredentials(source) : null
  const [only, ...others] = before.keys()
  return others.length === 0 ? (only ?? null) : null
}

/** The audit details. */
function toDetails(
  act: BulkAct,
  { changed, contested, foreign, other, before }: BulkResult,
  { now, changedIds }: { now: number; changedIds: string[] },
) {
  const left = contested + foreign + other
  return {
    records: changed,
    ...(left > 0 && { left }),
    ...(act.kind === 'verify' && { verified_at: toIsoTime(now) }),
    ...(act.kind === 'forget' && { forgotten_at: toIsoTime(now) }),
    ...(act.kind === 'scope' && { scope: act.scope, from: toScopes(before) }),
    ...(changedIds.length <= MAX_NAMED_RECORDS && { ids: changedIds.join(' ') }),
  }
}

const toScopes = (before: BulkResult['before']): string =>
  [...new Set([...before.values()].map(({ audience }) => scopeOf(audience)))].join(' and ')
