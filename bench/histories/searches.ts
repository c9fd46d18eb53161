import { searchMemory } from '../../src/memory/search/search.ts'
import { openCorpus } from '../corpus.ts'
import { keep } from '../keep.ts'
import type { openBenchService } from '../service.ts'

/** A pause before each search, as of a handful of assistants. */
const PAUSE_MS = 10
const TOGETHER = 500
const WARM_UP = 50

type Opened = Pick<Awaited<ReturnType<typeof openBenchService>>, 'service' | 'caller'>

/** Saves records, and returns what searches them, one question after the other, until it is over: the times it took. */
export async function openSearches(
  opened: Opened,
  records: number,
): Promise<(isOver: (asked: number) => boolean) => Promise<number[]>> {
  const corpus = openCorpus([], [])
  for (let at = 0; at < records; at += TOGETHER) {
    const contents = Array.from({ length: Math.min(TOGETHER, records - at) }, (_, nth) => corpus.text(at + nth))
    await Promise.all(contents.map((content) => keep(opened, { content, source_id: 'source' })))
  }
  let asked = 0
  const search = async (isOver: (asked: number) => boolean) => {
    const times: number[] = []
    while (!isOver(times.length)) {
      await Bun.sleep(PAUSE_MS)
      const { length } = corpus.questions
      // Questions are spelled anew in each round: an answer that is known takes no time.
      const query = `${corpus.questions[asked % length]}${' '.repeat(asked / length)}`
      asked += 1
      const begunAt = performance.now()
      await searchMemory(opened.service, opened.caller, { query })
      times.push(performance.now() - begunAt)
    }
    return times
  }
  await search((count) => count === WARM_UP)
  return search
}
