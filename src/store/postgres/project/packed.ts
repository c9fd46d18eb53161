/*
 * A posting list is kept as blocks of record numbers of four bytes each, the most significant first, smallest number first. Numbers of one block are smaller than those of the
 * next. The last block of a list, to which numbers of new records are added, has the largest number a block can have; the others are numbered by the first record that they
 * had.
 */

/** The number of the block that new records are added to. */
export const OPEN_BLOCK = 2 ** 31 - 1

/** Records from which on the open block is closed: with up to as many again a row stays small enough for PostgreSQL to keep it in one piece. */
export const FULL_BLOCK_RECORDS = 256

const BYTES = 4

/** The numbers of a block, smallest first. */
export function unpack(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength / BYTES }, (_, at) => view.getUint32(at * BYTES))
}

/** The block of these numbers, in hexadecimal. */
export function pack(seqs: number[]): string {
  return seqs
    .toSorted((a, b) => a - b)
    .map((seq) => seq.toString(16).padStart(2 * BYTES, '0'))
    .join('')
}

/** The distinct numbers of some blocks, largest first, at most `most` of them. Takes time by their number. */
export function unpackNewest(blocks: Uint8Array[], most: number): Uint32Array {
  const length = blocks.reduce((sum, { byteLength }) => sum + byteLength / BYTES, 0)
  const seqs = new Uint32Array(length)
  let at = 0
  for (const { buffer, byteOffset, byteLength } of blocks) {
    const view = new DataView(buffer, byteOffset, byteLength)
    for (let from = 0; from < byteLength; from += BYTES) seqs[at++] = view.getUint32(from)
  }
  seqs.sort()
  let count = 0
  const newest = new Uint32Array(Math.min(most, length))
  for (let from = length - 1; from >= 0 && count < most; from--) {
    const seq = seqs[from] ?? 0
    if (count === 0 || newest[count - 1] !== seq) newest[count++] = seq
  }
  return newest.subarray(0, count)
}
