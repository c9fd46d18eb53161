/** How much a run does. */
export type Scale = {
  /** The service bounds what one key has at work at once, so callers take turns with several. */
  keys: number
  /** Starts of which the median is taken. */
  starts: number
  /** Numbers of clients that save at once. */
  savers: readonly number[]
  /** Records at which searches are measured, the smaller first. */
  records: readonly number[]
  /** Of each rate. */
  rateMs: number
  /** Questions asked one by one, after a tenth as many that warm up; and the time after which no more are asked. */
  questions: number
  questionsMs: number
  callers: number
  /** How long searches, an import and pings run together. */
  togetherMs: number
  kills: number
  /** Saves acknowledged before each kill: at random between these. */
  savesBeforeKill: readonly [least: number, most: number]
  /** An import is ended after this time, and what is measured next has fewer records. */
  importMs: number
}

/** About 80 s on two cores, and at most 120: the sum of what is bounded by time, and what starts and ends between. About 200 MB of disk. */
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
