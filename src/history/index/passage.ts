import type { HistoryPassage, HistorySource } from '../../store/history.ts'
import { ANALYZER_VERSION } from '../../text/analyzer.ts'
import { parseStored, type StoredLine } from '../read/lines.ts'
import { type LineWords, packLineWords } from './line-words.ts'
import { toFindable, toLineWords, toWords } from './words.ts'

/** Format of passages, with the version of the analyzer that made their words: those of another one are made anew. */
export const PASSAGE_VERSION = 10 * ANALYZER_VERSION + 1

/** Lines of a passage, and words from which on it takes no further line. */
export const PASSAGE_LINES = 128
const FULL_WORDS = 3_000

/**
 * The passage of successive lines of a source from `first` on, of those that fit into one: their words and, with each,
 * those of the session's title and branch. What the assistant says before it calls a tool is left out: only final
 * answers are found.
 */
export async function toPassage(
  source: HistorySource,
  first: number,
  lines: AsyncIterable<StoredLine>,
): Promise<HistoryPassage> {
  const { ownerId, title, gitBranch } = source
  const found: (LineWords & { kind: string })[] = []
  let [last, count] = [first, 0]
  for await (const { line, text } of lines) {
    if (count >= FULL_WORDS) break
    last = line
    const findable = toFindable(source, await parseStored(text))
    if (findable === undefined) continue
    if (findable.kind === 'call') while (found.at(-1)?.kind === 'answer') found.pop()
    const words = await toLineWords(ownerId, findable)
    found.push({ line, words, kind: findable.kind })
    count += words.length
  }
  const head = await toWords(ownerId, `${title ?? ''}\n${gitBranch ?? ''}`)
  return {
    first,
    last,
    words: [...new Set([...head, ...found.flatMap(({ words }) => words)])],
    lines: packLineWords(first, found),
    rules: PASSAGE_VERSION,
  }
}
