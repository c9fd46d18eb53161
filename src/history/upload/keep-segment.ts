import type { HistoryGeneration, HistoryReads, HistorySegment, HistorySource, HistoryWrites } from '../../store/history.ts'
import { shortenTitle } from './title.ts'

/** Facts about the lines of a segment: the times of the first and the last, and a person's first prompt. */
export type SegmentFacts = { firstAt: number | null; lastAt: number | null; prompt: string | undefined }

type Tx = HistoryReads & HistoryWrites

/**
 * Makes a stored segment a part of its generation; only inside a write in which it was found to continue its source. Returns how many lines of the source its
 * owner can read now.
 */
export async function keep(
  tx: Tx,
  source: HistorySource,
  segment: Omit<HistorySegment, 'firstLine'>,
  facts: SegmentFacts,
): Promise<number> {
  const { generation, rawEnd, chain, lines, receivedAt } = segment
  const before = (await tx.findGeneration(source.id, generation)) ?? { lines: 0, erasedLines: 0, lastAt: null }
  const grown: HistoryGeneration = {
    sourceId: source.id,
    generation,
    rawEnd,
    chain,
    lines: before.lines + lines,
    erasedLines: before.erasedLines,
    lastAt: latest(before.lastAt, facts.lastAt),
  }
  await tx.keepSegment(segment.id, before.lines + 1, lines)
  await tx.saveGeneration(grown)
  const shown = await chooseShown(tx, source, grown)
  const readable = shown.lines - shown.erasedLines
  const lastAt = latest(source.lastAt, facts.lastAt)
  await tx.updateSource(source.id, {
    generation,
    shown: shown.generation,
    lines: readable,
    title: source.title ?? shortenTitle(facts.prompt),
    firstAt: earliest(source.firstAt, facts.firstAt),
    lastAt,
    receivedAt,
    activeAt: lastAt ?? receivedAt,
  })
  return readable
}

/**
 * The generation that readers see: a new one only once it has as many lines as the previous one, or a later one, so that nobody sees a transcript that is
 * just being uploaded again. If it has as many lines, nothing is missing in it, and the next purge erases the previous one: nothing is left of what a line
 * said before it was rewritten. One that had more lines is kept, unread, as the only copy of what the assistant has deleted.
 */
async function chooseShown(tx: Tx, source: HistorySource, grown: HistoryGeneration): Promise<HistoryGeneration> {
  if (grown.generation === source.shown) return grown
  const shown = await tx.findGeneration(source.id, source.shown)
  if (shown === undefined || shown.lines === shown.erasedLines) return grown
  if (grown.lines >= shown.lines) {
    await tx.saveGeneration({ ...shown, erasedLines: shown.lines })
    return grown
  }
  const isLater = grown.lastAt !== null && grown.lastAt > (shown.lastAt ?? Number.POSITIVE_INFINITY)
  return isLater ? grown : shown
}

const latest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b))
const earliest = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))
