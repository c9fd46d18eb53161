import { unpackTokenCodes } from '../../../text/token-codes.ts'
import type { TokenizedRecord } from './search-index.ts'

/** The token codes of a record in the bytes in which they are stored, and its length in words. */
export type PackedText = { seq: number; length: number; codes: Uint8Array }

/** The tokens of records, how many these are, and the sum of their lengths. */
export type PackedTexts = {
  /** Those of the given records that there are. */
  read: (seqs: number[]) => Map<number, TokenizedRecord>
  records: number
  totalLength: number
  /** Memory that it takes. */
  bytes: number
}

/** What the place of a record takes in a map. */
const BYTES_PER_PLACE = 32

/** Keeps the codes of tokens as they are stored, one text after the other: an array for each takes far more memory. */
export function packTexts(texts: PackedText[]): PackedTexts {
  const places = new Map(texts.map(({ seq }, at) => [seq, at]))
  const lengths = Uint32Array.from(texts, ({ length }) => length)
  const starts = new Uint32Array(texts.length + 1)
  texts.forEach(({ codes }, at) => {
    starts[at + 1] = (starts[at] ?? 0) + codes.length
  })
  const all = new Uint8Array(starts[texts.length] ?? 0)
  texts.forEach(({ codes }, at) => {
    all.set(codes, starts[at])
  })
  return {
    read: (seqs) => {
      const read = new Map<number, TokenizedRecord>()
      for (const seq of seqs) {
        const at = places.get(seq)
        if (at === undefined) continue
        read.set(seq, { codes: unpackTokenCodes(all.subarray(starts[at], starts[at + 1])), length: lengths[at] ?? 0 })
      }
      return read
    },
    records: lengths.length,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    bytes: all.byteLength + starts.byteLength + lengths.byteLength + BYTES_PER_PLACE * places.size,
  }
}
