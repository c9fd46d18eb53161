import { describe } from './describe.ts'
import { findSessions } from './opencode/find-sessions.ts'
import { claudeCode } from './places/claude-code.ts'
import { codex } from './places/codex.ts'
import { copilot } from './places/copilot.ts'
import { gemini } from './places/gemini.ts'
import type { Found, Place } from './places/place.ts'
import { COMPRESSED_ENDING } from './readers/history-file.ts'
import type { HistorySource, Machine } from './source.ts'

const PLACES: Place[] = [claudeCode, codex, gemini, copilot]

/**
 * The histories on this machine, by assistant. Each is yielded once, also if it exists in several files, for instance moved or compressed. `known` are those
 * found before, by file; files that have not changed since are not read again. `now` is in milliseconds since 1970.
 */
export async function* discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): AsyncGenerator<HistorySource> {
  for (const place of PLACES) {
    for (const found of await findByKey(place, machine)) {
      const sources = await Promise.all(found.map((one) => describe(place.assistant, one, known.get(one.file))))
      const [source] = sources.filter((one) => one !== undefined).sort(comparePreference)
      if (source !== undefined) yield source
    }
  }
  yield* findSessions(machine, known, now)
}

/** The files of each history. */
async function findByKey(place: Place, machine: Machine): Promise<Iterable<Found[]>> {
  const all = await Array.fromAsync(place.find(machine))
  return Map.groupBy(all, ({ sourceKey }) => sourceKey).values()
}

/** Readable files first; then plain ones, since assistants write only to these; then the most recently written. */
function comparePreference(a: HistorySource, b: HistorySource): number {
  return Number(isUnreadable(a)) - Number(isUnreadable(b)) || Number(isCompressed(a)) - Number(isCompressed(b)) || b.mtimeMs - a.mtimeMs
}

function isUnreadable({ unreadable }: HistorySource): boolean {
  return unreadable !== undefined
}

function isCompressed({ file }: HistorySource): boolean {
  return file.endsWith(COMPRESSED_ENDING)
}
