import type { Processes } from './processes.ts'
import type { Texts } from './texts.ts'

/** Shared by the measurements of one run. */
export type BenchRun = {
  processes: Processes
  ticks: () => number
  texts: Texts
  scale: Scale
  /** Shows the name of the current measurement. */
  step: (name: string) => void
}

/** A data folder, and keys of its only project. */
export type Data = { dataDir: string; keys: string[] }

/** `count` callers, who share the keys in turn. */
export function toCallers(url: string, { keys }: Data, count: number): { url: string; key: string }[] {
  return Array.from({ length: count }, (_, nth) => ({ url, key: keys[nth % keys.length] ?? '' }))
}

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

/**
 * About 90 s on two cores and at most 130 (the sum of all time limits, and starts and stops in between); about 200 MB
 * of disk.
 */
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
