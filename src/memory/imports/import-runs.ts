import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { createGate } from '../../semaphore.ts'
import type { Counts } from '../transfer/import-records.ts'

/**
 * The stage of an import: its file is arriving (`receiving`); it is read in a dry run (`checking`) and then waits for a
 * decision (`checked`); it is saved (`importing`); or it has ended: `done`, `stopped` by a person, or `failed`.
 */
type ImportStage = 'receiving' | 'checking' | 'checked' | 'importing' | 'done' | 'stopped' | 'failed'

/** An import that a member makes in the console. */
export type ImportRun = {
  id: string
  projectId: string
  memberId: string
  fileName: string
  /** The workspace to import into, whatever workspace the lines name. */
  workspace: string | undefined
  /** Where the file is until the import has ended. */
  path: string
  /** Parts are written one after the other, in the order in which they arrive. */
  inTurn: ReturnType<typeof createGate>
  /**
   * Bytes of the file; of these, bytes that have arrived and are written, and bytes that the dry run or the import has
   * read.
   */
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
  /** When its stage or file last changed, in milliseconds since 1970. */
  touchedAt: number
}

/** The imports of one process, at most one of each member; `work` has the checks and imports in progress. */
export type ImportRuns = {
  folder: string
  runs: Map<string, ImportRun>
  work: Set<Promise<void>>
  isStopped: () => boolean
  /** Ends what is in progress, and erases the files. */
  stop: () => Promise<void>
}

/** Maximum number of members whose imports are kept. */
export const MAX_RUNS = 20
/** An import that nobody touched for this long is discarded when another member begins one. */
export const RUN_LIFETIME_MS = 60 * 60 * 1000

/** The folder for the files is created in `dataDir` at the first import. */
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

/**
 * Erases the file of a run. Never throws: a file that cannot be erased now is erased at a later import, by
 * `makeFolder`.
 */
export function eraseFile({ path }: ImportRun): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

const FILE = /^[0-9a-f-]{36}\.jsonl$/

/**
 * Creates the folder, and erases files left by a process that ended during an import. Files of other running processes
 * are younger than the limit. `now` is in milliseconds since 1970.
 */
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

/** Whether it is being checked or imported at this moment. */
export const isUnderWay = ({ stage }: ImportRun): boolean => stage === 'checking' || stage === 'importing'
