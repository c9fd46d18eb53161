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
 * The histories on this machine, by assistant. Each is there once: where it stands in two files, the plain one goes before the compressed one. `known` are those that were found before,
 * by file; of a file that has not changed since, nothing is read. `now` in milliseconds since 1970.
 */
export async function* discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): AsyncGenerator<HistorySource> {
  for (const place of PLACES) {
    for (const found of (await findOnce(place, machine)).values()) {
      await yieldIfDue()
      const source = await describe(place.assistant, found, known.get(found.file))
      if (source !== undefined) yield source
    }
  }
  yield* findSessions(machine, known, now)
}

async function findOnce(place: Place, machine: Machine): Promise<Map<string, Found>> {
  const histories = new Map<string, Found>()
  for await (const found of place.find(machine)) {
    const other = histories.get(found.sourceKey)
    if (other === undefined || (isCompressed(other) && !isCompressed(found))) histories.set(found.sourceKey, found)
  }
  return histories
}

function isCompressed({ file }: Found): boolean {
  return file.endsWith(COMPRESSED_ENDING)
}
