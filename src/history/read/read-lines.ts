import { yieldIfDue } from '../../cooperative.ts'
import type { HistorySource, HistoryStore } from '../../store/history.ts'
import { createRecordReader } from '../blocks.ts'

/** A line as it is kept. */
export type StoredLine = { line: number; text: string }

const BATCH_LINES = 100

const utf8 = new TextDecoder()

/** The lines of what readers see of a source, from a number on, in their order. Lines that are erased meanwhile are left out. */
export async function* readLines(store: HistoryStore, { id, shown }: HistorySource, from: number): AsyncGenerator<StoredLine, void> {
  const read = createRecordReader(store)
  for (let next = from; ; ) {
    const places = await store.listLines({ sourceId: id, generation: shown, from: next, limit: BATCH_LINES })
    for (const place of places) {
      await yieldIfDue()
      const bytes = (await read(place)) ?? (await readMoved(store, id, shown, place.line, read))
      if (bytes !== undefined) yield { line: place.line, text: utf8.decode(bytes) }
      next = place.line + 1
    }
    if (places.length < BATCH_LINES) return
  }
}

/** The text of a line whose record has moved to another block since its place was read. */
async function readMoved(
  store: HistoryStore,
  sourceId: string,
  generation: number,
  from: number,
  read: ReturnType<typeof createRecordReader>,
): Promise<Uint8Array | undefined> {
  const [place] = await store.listLines({ sourceId, generation, from, limit: 1 })
  return place?.line === from ? read(place) : undefined
}
