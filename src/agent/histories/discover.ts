import { describe } from './describe.ts'
import { findSessions } from './opencode/find-sessions.ts'
import { readSession } from './opencode/read-session.ts'
import { findHistories, PLACES } from './places.ts'
import { COMPRESSED_ENDING } from './readers/history-file.ts'
import { readLineFile } from './readers/line-file.ts'
import type { HistorySource, Machine, ReadHistory } from './source.ts'

/**
 * The histories on this machine, by assistant. Each is yielded once, also if it exists in several files, for instance
 * moved or compressed. `known` are those found before, by file; files that have not changed since are not read again.
 * `now` is in milliseconds since 1970.
 */
export async function* discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): AsyncGenerator<HistorySource> {
  for (const place of PLACES) {
    const all = await Array.fromAsync(findHistories(place, machine))
    for (const found of Map.groupBy(all, ({ sourceKey }) => sourceKey).values()) {
      const sources = await Promise.all(found.map((one) => describe(place.assistant, one, known.get(one.file))))
      const [source] = sources.filter((one) => one !== undefined).sort(comparePreference)
      if (source !== undefined) yield source
    }
  }
  yield* findSessions(machine, known, now)
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
