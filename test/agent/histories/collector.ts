import { discover, readHistory } from '../../../src/agent/histories/discover.ts'
import type { HistorySource, Machine } from '../../../src/agent/histories/source.ts'
import type { Random } from '../../builders/histories/random.ts'

/** A history as it has been collected. */
type Collected = { source: HistorySource; generation: number; rawEnd: number; lines: string[]; cursor: string | null }

/**
 * Reads the histories of a machine as an uploader does, which may die before each step: it keeps a piece and its cursor
 * together or not at all. `random` tells the size of pieces, and where it dies.
 */
export function createCollector(machine: Machine, random: Random) {
  const collected = new Map<string, Collected>()
  let known = new Map<string, HistorySource>()

  async function collect(source: HistorySource, now: number, diesAt: number): Promise<void> {
    const id = `${source.assistant} ${source.sourceKey}`
    const before = collected.get(id)
    const one: Collected = before ?? { source, generation: 1, rawEnd: 0, lines: [], cursor: null }
    collected.set(id, one)
    one.source = source
    let pieces = 0
    for await (const piece of readHistory(source, one.cursor, 1 + random.below(200_000), { now })) {
      if (pieces++ === diesAt) return
      if (piece === 'rewritten') {
        collected.set(id, { source, generation: one.generation + 1, rawEnd: 0, lines: [], cursor: null })
        return collect(source, now, diesAt)
      }
      if (piece.rawStart !== one.rawEnd) throw new Error(`a gap in ${id}: ${one.rawEnd} to ${piece.rawStart}`)
      one.lines.push(...piece.lines)
      one.rawEnd = piece.rawEnd
      one.cursor = piece.cursor
    }
  }

  return {
    collected,
    /** Looks at every history once. With `isDying` each reading may end at any piece. */
    pass: async (now: number, { isDying }: { isDying: boolean }): Promise<void> => {
      const found = new Map<string, HistorySource>()
      for (const source of await discover(machine, random.chance(0.5) ? known : new Map(), now)) {
        found.set(source.file, source)
        await collect(source, now, isDying ? random.below(5) : Number.POSITIVE_INFINITY)
      }
      known = found
    },
  }
}
