import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import type { BenchRun, Data } from './context.ts'

/** Lines generated at a time. */
const LINES_AT_ONCE = 1_000

/** Imports a file, for at most `mostMs`, while other processes may use the data folder. Returns the number of notes saved. */
export async function importFile({ processes }: BenchRun, { dataDir }: Data, file: string, mostMs: number): Promise<number> {
  const { out } = await processes.run(dataDir, ['import', file, '--project', 'default', '--json'], mostMs)
  // An import that is stopped before it has begun prints nothing.
  return out === '' ? 0 : (JSON.parse(out) as { saved: number }).saved
}

/** Writes a file of `count` notes to import, replacing the previous one. Returns its path. */
export async function writeNotes({ texts }: BenchRun, { dataDir }: Data, count: number): Promise<string> {
  const path = join(dataDir, 'notes.jsonl')
  const file = await open(path, 'w', 0o600)
  try {
    for (let at = 0; at < count; at += LINES_AT_ONCE) {
      const lines = Array.from({ length: Math.min(LINES_AT_ONCE, count - at) }, () => `${JSON.stringify({ content: texts.note() })}\n`)
      await file.write(lines.join(''))
    }
  } finally {
    await file.close()
  }
  return path
}

/** Throws a Refusal if nothing was imported, since further measurements would be meaningless. */
export function requireRecords(records: number): void {
  if (records === 0) throw new Refusal('the import saved nothing')
}
