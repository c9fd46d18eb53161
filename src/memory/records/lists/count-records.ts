import type { AppContext } from '../../../account/context.ts'
import { countPresent, type KeptCounts } from '../../overview/kept-counts.ts'
import type { Memory } from '../../visibility.ts'
import { requireWorkspace } from '../../workspaces/workspace.ts'
import type { ListArguments } from './list-records.ts'
import { toRecordFilter } from './record-filter.ts'

/** Numbers of stale records, by project and the viewer's audiences. */
export type StaleCounts = KeptCounts<{ stale: number }>

type Context = AppContext & { staleCounts: StaleCounts }

/** Up to this number records are counted that have to be looked at one by one. */
const MAX_LOOKED_AT = 1_000

/** A number of records: of all, of all as they were some seconds ago, or of some, so that there are more. */
export type RecordCount = { count: number; of: 'all' | 'past' | 'some' }

/**
 * How many records a list has. Without a filter, or with one for a workspace alone, in time linear in the number of
 * workspaces; otherwise by an index. Stale and fresh records of all workspaces are kept counted. With another filter
 * beside them, or one for a source or fact key of many records, they are counted up to 1 000; undefined where few pass
 * among very many.
 *
 * @throws Refusal as `listRecords` does.
 */
export async function countRecords(
  ctx: Context,
  memory: Memory,
  args: ListArguments,
): Promise<RecordCount | undefined> {
  const { account, projectId, visible, records } = memory
  const { workspace, before: _, after: __, offset: ___, limit: ____, ...filters } = args
  const { only_stale: isStale, exclude_stale: isFresh, ...others } = filters
  const isNarrowed = Object.values(others).some((value) => value !== undefined && value !== false)
  const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(records, visible, workspace)).id
  if (!isNarrowed && !isStale && !isFresh) return { count: await records.countRecords(visible, workspaceId), of: 'all' }
  const counted = isNarrowed || workspaceId !== undefined ? undefined : await countStale(ctx, memory)
  if (counted !== undefined) {
    const count = isStale ? counted.stale : Math.max(0, (await records.countRecords(visible)) - counted.stale)
    return { count, of: counted.isCurrent ? 'all' : 'past' }
  }
  const viewer = { accountId: account.id, projectId, visible }
  const filter = { ...(await toRecordFilter(ctx, viewer, filters)), workspaceId }
  const found = await records.countLatest(filter, MAX_LOOKED_AT)
  return found && { count: found.count, of: found.isComplete ? 'all' : 'some' }
}

function countStale(ctx: Context, memory: Memory) {
  const { records, visible } = memory
  const count = async () => ({ stale: await records.countStale(visible, ctx.clock.now()) })
  return countPresent(ctx, memory, { kept: ctx.staleCounts, name: 'stale', count })
}
