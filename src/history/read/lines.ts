import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { HistorySource, HistoryStore } from '../../store/history.ts'
import type { TranscriptLine } from '../../transcripts/format.ts'
import { parseLine } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { createTextReader } from '../blocks.ts'
import { requireOwnSession, type Session, toSession } from './session.ts'

/** A line as stored. */
export type StoredLine = { line: number; text: string }

const BATCH_LINES = 100

/**
 * UTF-16 units of a line up to which it is parsed for a page of several. It may have 1.25 Mi, though assistants hardly
 * ever write so much; with lines of a megabyte, two readers at once made turns of 29 ms (bench/stall.ts).
 */
export const MAX_LENGTH_AMONG_OTHERS = 512 * 1_024

/** A stored line, parsed. It takes up to 20 ms to be decoded and parsed, so that others have a turn before and after. */
export async function parseStored(text: string): Promise<TranscriptLine | undefined> {
  await yieldIfDue()
  const parsed = parseLine(text)
  await yieldIfDue()
  return parsed
}

const utf8 = new TextDecoder()

/** The lines of a source, from a number on, in order. Omits lines that are erased meanwhile. */
export async function* readLines(
  store: HistoryStore,
  source: HistorySource,
  from: number,
): AsyncGenerator<StoredLine, void> {
  const read = createTextReader(store)
  for (let next = from; ; ) {
    const places = await store.listLines({ sourceId: source.id, from: next, limit: BATCH_LINES })
    for (const place of places) {
      const bytes = await read(place)
      // A line that was moved to another block after its place was read.
      const stored = bytes
        ? { line: place.line, text: utf8.decode(bytes) }
        : await readLine(store, source, place.line, read)
      if (stored !== undefined) yield stored
      next = place.line + 1
    }
    if (places.length < BATCH_LINES) return
  }
}

/** One line of a source; undefined if it is erased. `read` is for several lines, which may be in one block. */
export async function readLine(
  store: HistoryStore,
  { id }: Pick<HistorySource, 'id'>,
  line: number,
  read = createTextReader(store),
): Promise<StoredLine | undefined> {
  const [place] = await store.listLines({ sourceId: id, from: line, limit: 1 })
  const bytes = place?.line === line ? await read(place) : undefined
  return bytes && { line, text: utf8.decode(bytes) }
}

/** Length of a piece of an export, unless one line is longer. */
const PIECE_LENGTH = 64 * 1024

/**
 * A session of the actor as JSON Lines: the lines as the assistant wrote them, except what was redacted or reduced.
 * `pieces` generates them as they are read.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function exportSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ session: Session; pieces: () => AsyncGenerator<string, void> }> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  async function* pieces(): AsyncGenerator<string, void> {
    let piece = ''
    for await (const { text } of readLines(histories.store, source, 1)) {
      piece += `${text}\n`
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
  return { session: toSession(source), pieces }
}
