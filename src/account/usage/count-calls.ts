import type { CallOutcome } from '../../metrics/metrics.ts'
import type { CallError, UseSelection } from '../../store/daily-use.ts'
import { type Actor, mayManage } from '../auth/actor.ts'
import type { Caller } from '../auth/caller.ts'
import type { AppContext } from '../context.ts'

/** Calls of one tool on one day; `errors` is the number of calls that were refused or failed. */
export type CallsOnDay = { day: number; tool: string; calls: number; errors: number }

/**
 * Restricts whose calls an actor may see: undefined (everybody's) for the operator, owners and admins, otherwise the
 * member's own id.
 */
export function ownKeysOnly(actor: Actor): string | undefined {
  return actor.kind === 'member' && !mayManage(actor.member) ? actor.member.id : undefined
}

/** Calls by day and tool, in order of day and then of tool. Those of the last minute may be missing. */
export async function countCallsByDay(
  { store }: Pick<AppContext, 'store'>,
  selection: UseSelection,
): Promise<CallsOnDay[]> {
  const byDay = new Map<string, CallsOnDay>()
  for (const { day, tool, outcome, calls } of await store.control.countUse(selection, ['day', 'tool', 'outcome'])) {
    const counted = byDay.get(`${day} ${tool}`) ?? { day, tool, calls: 0, errors: 0 }
    counted.calls += calls
    if (outcome !== 'ok') counted.errors += calls
    byDay.set(`${day} ${tool}`, counted)
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day || (a.tool < b.tool ? -1 : 1))
}

type Counting = Pick<AppContext, 'callUses' | 'callErrors' | 'clock'>
type FinishedCall = { tool: string; outcome: CallOutcome; milliseconds: number; reason: string }

/** Counts a call, and adds one that was refused or failed to the list of these. `reason` is a key of `CALL_REASONS`. */
export function countCall(ctx: Counting, caller: Caller, { reason, ...call }: FinishedCall): void {
  const { projectId, keyId } = caller
  ctx.callUses.add({ ...call, projectId, keyId, at: ctx.clock.now() })
  if (call.outcome !== 'ok') addCallError(ctx, caller, { tool: call.tool, outcome: call.outcome, reason })
}

export function addCallError(
  { callErrors, clock }: Pick<Counting, 'callErrors' | 'clock'>,
  { accountId, projectId, authorId, keyId }: Caller,
  call: Pick<CallError, 'tool' | 'outcome' | 'reason'>,
): void {
  callErrors.add({ ...call, at: clock.now(), accountId, projectId, authorId, keyId })
}
