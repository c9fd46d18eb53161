import { describe, findUnchanged } from './describe.ts'
import { findSessions } from './opencode/find-sessions.ts'
import { readSession } from './opencode/read-session.ts'
import { listFiles, PLACES } from './places.ts'
import { COMPRESSED_ENDING } from './readers/history-file.ts'
import { readLineFile } from './readers/line-file.ts'
import type { HistorySource, Machine, ReadHistory } from './source.ts'

/**
 * The histories on this machine, by assistant. Each is there once, also if it exists in several files, for instance
 * moved or compressed. `known` are those found before, by file; files that have not changed since are not read again.
 * `now` is in milliseconds since 1970.
 */
export async function discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): Promise<HistorySource[]> {
  const found: HistorySource[] = []
  for (const place of PLACES) {
    const sources = new Map<string, HistorySource>()
    for (const one of await listFiles(place, machine)) {
      const source = findUnchanged(known, one.file) ?? (await describe(place, one))
      if (source === undefined) continue
      const other = sources.get(source.sourceKey)
      if (other === undefined || comparePreference(source, other) < 0) sources.set(source.sourceKey, source)
    }
    found.push(...sources.values())
  }
  return [...found, ...(await Array.fromAsync(findSessions(machine, known, now)))]
}

/** Readable files first; then plain ones, since assistants write only to these; then the most recently written. */
function comparePreference(a: HistorySource, b: HistorySource): number {
  const rank = ({ unreadable, file }: HistorySource) =>
    2 * Number(unreadable !== undefined) + Number(file.endsWith(COMPRESSED_ENDING))
  return rank(a) - rank(b) || b.mtimeMs - a.mtimeMs
}

/** Reads any history that `discover` finds. */
export const readHistory: ReadHistory = (source, ...rest) =>
  (source.assistant === 'opencode' ? readSession : readLineFile)(source, ...rest)
