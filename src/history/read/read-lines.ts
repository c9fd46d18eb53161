import type { HistorySource, HistoryStore } from '../../store/history.ts'
import { createTextReader } from '../blocks.ts'

/** A line as stored. */
export type StoredLine = { line: number; text: string }

const BATCH_LINES = 100

const utf8 = new TextDecoder()

/** The lines of a source, from a number on, in order. Omits lines that are erased meanwhile. */
export async function* readLines(store: HistoryStore, { id }: HistorySource, from: number): AsyncGenerator<StoredLine, void> {
  const read = createTextReader(store)
  for (let next = from; ; ) {
    const places = await store.listLines({ sourceId: id, from: next, limit: BATCH_LINES })
    for (const place of places) {
      const bytes = (await read(place)) ?? (await readMoved(store, id, place.line, read))
      if (bytes !== undefined) yield { line: place.line, text: utf8.decode(bytes) }
      next = place.line + 1
    }
    if (places.length < BATCH_LINES) return
  }
}

/** The text of a line that was moved to another block after its place was read. */
async function readMoved(
  store: HistoryStore,
  sourceId: string,
  from: number,
  read: ReturnType<typeof createTextReader>,
): Promise<Uint8Array | undefined> {
  const [place] = await store.listLines({ sourceId, from, limit: 1 })
  return place?.line === from ? read(place) : undefined
}
