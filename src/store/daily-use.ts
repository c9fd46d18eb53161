import type { CallOutcome } from '../metrics/metrics.ts'

/**
 * Number of calls of a tool by a key on one day with the same outcome and about the same duration. Contains nothing
 * that was asked or answered.
 */
export type DailyUse = {
  projectId: string
  /** Days since 1970, in UTC. */
  day: number
  /**
   * A tool of the service, or `<slug>.<tool>` of an integration; only the slug if its server has no tool with the
   * called name.
   */
  tool: string
  keyId: string
  outcome: CallOutcome
  /** Upper bound of the calls' durations in milliseconds, one of a few that the service defines. */
  durationMs: number
  calls: number
}

/** A call that was refused or failed. Contains nothing that was asked or answered. */
export type CallError = {
  /** Assigned by the store: a later one has a larger number. */
  seq: number
  at: number
  accountId: string
  projectId: string
  /** The member who holds the key; a service key itself. */
  authorId: string
  keyId: string
  /** As in `DailyUse`. */
  tool: string
  outcome: Exclude<CallOutcome, 'ok'>
  /** A code of a bounded set. */
  reason: string
  /** How many calls this one stands for: more than one if only some are kept. */
  calls: number
}

/** A field to group by. */
export type UseField = Exclude<keyof DailyUse, 'calls'>

/** Which calls are counted; an omitted one does not restrict. */
export type UseSelection = {
  projectIds: string[]
  /** Only by keys that this member holds. */
  memberId?: string | undefined
  /** Only of the integration with this slug. */
  integration?: string | undefined
  fromDay: number
  /** The last day. */
  untilDay: number
}

export type UseCount<Field extends UseField> = Pick<DailyUse, Field | 'calls'>

export type DailyUseReads = {
  /**
   * In no particular order. Time is linear in the number of keys and tools used on those days; yields to other work.
   */
  countUse: <Field extends UseField>(selection: UseSelection, by: Field[]) => Promise<UseCount<Field>[]>
}

export type DailyUseWrites = {
  /** Adds to the counts. Does not change the control version. */
  addDailyUse: (uses: DailyUse[]) => Promise<void>
}
