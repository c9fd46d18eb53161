import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from '../transfer/import-records.ts'

/**
 * How far an import is: its file is `receiving`; it is read in a dry run (`checking`) and waits for a decision (`checked`); it is `importing`; or it has ended, as
 * `done`, as `stopped` by a person, or as `failed`.
 */
export type ImportStage = 'receiving' | 'checking' | 'checked' | 'importing' | 'done' | 'stopped' | 'failed'

/** An import that a member makes in the console. */
export type ImportRun = {
  id: string
  projectId: string
  memberId: string
  fileName: string
  /** The workspace that goes before what the lines name. */
  workspace: string | undefined
  /** Where the file is until the import has ended. */
  path: string
  /** Bytes of the file, of it those that have arrived, and those that the dry run or the import has read. */
  size: number
  received: number
  read: number
  stage: ImportStage
  counts: Counts
  /** The first refusals, and how many more there were. */
  refusals: { where: string; reason: string }[]
  moreRefusals: number
  /** Why it failed. */
  failure: string | undefined
  /** When it was last acted on, in milliseconds since 1970. */
  touchedAt: number
}

/** Imports of one process, one of a member at a time; `work` is what is under way. */
export type ImportRuns = {
  folder: string
  runs: Map<string, ImportRun>
  work: Set<Promise<void>>
  isStopped: () => boolean
  /** Ends what is under way, and erases the files. */
  stop: () => Promise<void>
}

/** Members whose imports are kept at a time. */
export const MAX_RUNS = 20
/** A run that nobody acted on for this long gives way. */
export const RUN_LIFETIME_MS = 60 * 60 * 1000

/** `dataDir` gets a folder for the files at the first import. */
export function createImportRuns(dataDir: string): ImportRuns {
  const folder = join(dataDir, 'imports.part')
  const runs = new Map<string, ImportRun>()
  const work = new Set<Promise<void>>()
  let isStopped = false
  return {
    folder,
    runs,
    work,
    isStopped: () => isStopped,
    stop: async () => {
      isStopped = true
      await Promise.all(work)
      for (const run of runs.values()) eraseFile(run)
    },
  }
}

/** Erases the file of a run. */
export function eraseFile({ path }: ImportRun): void {
  rmSync(path, { force: true })
}

const FILE = /^[0-9a-f-]{36}\.jsonl$/

/** Makes the folder, and erases files that a process left there when it ended in the middle; those of others that are at work are younger. `now` in milliseconds since 1970. */
export function makeFolder({ folder, runs }: ImportRuns, now: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = new Set([...runs.values()].map(({ path }) => path))
  for (const path of readdirSync(folder)
    .filter((name) => FILE.test(name))
    .map((name) => join(folder, name))) {
    if (own.has(path)) continue
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now }
    if (now - mtimeMs > 2 * RUN_LIFETIME_MS) rmSync(path, { force: true })
  }
}

export const NO_COUNTS: Counts = { saved: 0, there: 0, forgotten: 0, refused: 0, byUnknownAuthors: 0 }

/** Whether it does something by itself just now. */
export const isUnderWay = ({ stage }: ImportRun): boolean => stage === 'checking' || stage === 'importing'
