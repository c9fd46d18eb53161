import type { CallOutcome } from '../metrics/metrics.ts'

/**
 * Calls of a tool by a key on one day that ended with the same outcome after about the same time. Nothing of what was asked or answered.
 */
export type DailyUse = {
  projectId: string
  /** Days since 1970, in UTC. */
  day: number
  /** A tool of the service, or `<slug>.<tool>` of an integration; the slug alone where its server has no tool of the name that was called. */
  tool: string
  keyId: string
  outcome: CallOutcome
  /** The calls took at most this many milliseconds: one of a few bounds, of which the service decides. */
  durationMs: number
  calls: number
}

/** By what calls are counted: those that agree in all of these are counted together. */
export type UseField = Exclude<keyof DailyUse, 'calls'>

/** Which calls are counted; a condition that is left out does not narrow. */
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
  /** In no particular order. Time is linear in the number of keys and tools that were used on the days; other work of the process runs meanwhile. */
  countUse: <Field extends UseField>(selection: UseSelection, by: Field[]) => Promise<UseCount<Field>[]>
}

export type DailyUseWrites = {
  /** Adds the calls to those that are counted already. Does not change the control version. */
  addDailyUse: (uses: DailyUse[]) => Promise<void>
  /** Erases at most `limit` counts of days before this one, of the oldest first. Returns how many. */
  purgeDailyUse: (beforeDay: number, limit: number) => Promise<number>
}
