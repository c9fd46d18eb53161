import { yieldIfDue } from '../../cooperative.ts'
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
 * The histories on this machine, by assistant. Each is there once, though it may stand in several files, moved or compressed. `known` are those that were found before,
 * by file; of a file that has not changed since, nothing is read. `now` in milliseconds since 1970.
 */
export async function* discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): AsyncGenerator<HistorySource> {
  for (const place of PLACES) {
    for (const found of await findByKey(place, machine)) {
      await yieldIfDue()
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

/** A plain file before a compressed one, since assistants write to plain ones only; then the one that was written to last. */
function comparePreference(a: HistorySource, b: HistorySource): number {
  return Number(isCompressed(a)) - Number(isCompressed(b)) || b.mtimeMs - a.mtimeMs
}

function isCompressed({ file }: HistorySource): boolean {
  return file.endsWith(COMPRESSED_ENDING)
}
