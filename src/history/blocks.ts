import type { HistoryBlock, LinePlace } from '../store/history.ts'
import type { HistoryReads } from '../store/history-verbs.ts'

/** Concatenates texts and compresses them on another thread. Returns the block, with the place of each text. */
export async function packBlock<Kept extends { text: Uint8Array }>(
  sourceId: string,
  texts: Kept[],
): Promise<{ block: Omit<HistoryBlock, 'id'>; places: (Omit<Kept, 'text'> & { at: number; length: number })[] }> {
  let at = 0
  const places = texts.map(({ text, ...rest }) => {
    const place = { ...rest, at, length: text.length }
    at += text.length
    return place
  })
  const data = await Bun.zstdCompress(Buffer.concat(texts.map(({ text }) => text)))
  return { block: { sourceId, data }, places }
}

/** The whole text of a block. */
export async function unpackBlock({ data }: HistoryBlock): Promise<Uint8Array> {
  return Bun.zstdDecompress(data)
}

/** Reads texts by their places. Undefined for one that was moved or erased after its place was read. */
type TextReader = (place: LinePlace) => Promise<Uint8Array | undefined>

/** The reader keeps the last block inflated, since lines of one block are read in sequence. */
export function createTextReader(reads: Pick<HistoryReads, 'findBlock'>): TextReader {
  let last: { id: number; text: Uint8Array } | undefined
  return async ({ block: id, at, length }) => {
    if (last?.id !== id) {
      const block = await reads.findBlock(id)
      last = block && { id, text: await unpackBlock(block) }
    }
    return last?.text.subarray(at, at + length)
  }
}
