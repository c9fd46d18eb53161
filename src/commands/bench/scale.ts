/** The amount of work of a run. */
export type Scale = {
  /** Number of keys; callers share them in turn, since the service limits the concurrent calls of one key. */
  keys: number
  /** Number of starts; their median is reported. */
  starts: number
  /** Numbers of clients that save concurrently. */
  savers: readonly number[]
  /** Numbers of records with which searches are measured, in ascending order. */
  records: readonly number[]
  /** Duration of each throughput measurement. */
  rateMs: number
  /** Questions asked in sequence, in addition to a tenth as many for warm-up; and the time limit for them. */
  questions: number
  questionsMs: number
  callers: number
  /** Duration of the measurement with concurrent searches, import and pings. */
  togetherMs: number
  kills: number
  /** Number of saves acknowledged before each kill: random between these. */
  savesBeforeKill: readonly [least: number, most: number]
  /** Time limit of an import; later measurements then have fewer records. */
  importMs: number
}

/** About 90 s on two cores and at most 130 (the sum of all time limits, and starts and stops in between); about 200 MB of disk. */
export const FULL: Scale = {
  keys: 8,
  starts: 3,
  savers: [1, 16, 64],
  records: [10_000, 100_000],
  rateMs: 3_000,
  questions: 1_000,
  questionsMs: 5_000,
  callers: 16,
  togetherMs: 8_000,
  kills: 5,
  savesBeforeKill: [50, 1_000],
  importMs: 50_000,
}
