import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import { checkStore } from '../../src/store/open-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { startExecutable } from '../smoke/running.ts'
import { compare, type Kept, type Ledger, work } from './ledger.ts'

export const MAIN = join(import.meta.dir, '../../src/main.ts')
/** The service from source; `sabotage` is a file of that folder, which is loaded before it. */
export const fromSource = (sabotage?: string) => [
  process.execPath,
  ...(sabotage === undefined ? [] : ['--preload', join(import.meta.dir, 'sabotage', sabotage)]),
  MAIN,
]

const ASSISTANTS = 8

/** What is tried: the command of a service, its data folder, its project and a key of it. */
export type Tried = { command: string[]; folder: string; projectId: string; secret: string }

/**
 * Lets assistants work on a service, started for this, and has `cut` end it after so many answers, in the middle of
 * others. What `cut` does must end the process. Returns how many answers came.
 */
export async function runRound(
  ledger: Ledger,
  { command, folder, secret }: Tried,
  answers: number,
  cut: (pid: number) => void,
): Promise<number> {
  const started: Subprocess[] = []
  const { url } = await startExecutable(command, '/', folder, started)
  const [service] = started
  if (service === undefined) throw new Error('the service was not started')
  let count = 0
  const told = () => {
    count += 1
    if (count === answers) cut(service.pid)
  }
  const isOver = () => count >= answers
  const names = Array.from({ length: ASSISTANTS }, (_, i) => `assistant ${i}`)
  try {
    await Promise.all(names.map((name) => work(ledger, { url, key: secret, name }, told, isOver)))
  } finally {
    service.kill('SIGKILL')
    await service.exited
  }
  return count
}

/** What a service left behind: the records of a project, and what a check of every file finds. */
export async function readKept(folder: string, projectId: string): Promise<{ kept: Kept[]; faults: string[] }> {
  const faults: string[] = []
  for await (const part of checkStore({ dataDir: folder }, { toEntry }))
    faults.push(...part.faults.map(({ text }) => `${part.name}: ${text}`))
  const store = await openSqliteStore(folder, Date.now)
  const kept = await store.project(projectId).listRecords({ visible: undefined })
  await store.close()
  return { kept, faults }
}

/** What is wrong with what a service left behind. */
export async function findWrong(ledger: Ledger, { folder, projectId }: Tried) {
  const { kept, faults } = await readKept(folder, projectId)
  return { ...compare(ledger, kept), faults }
}
