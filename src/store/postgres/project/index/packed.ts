/*
 * A posting list is kept as blocks of record numbers of four bytes each, the most significant first, smallest number first. Numbers of one block are smaller
 * than those of the next. The last block of a list, to which numbers of new records are added, has the largest number a block can have; the others are
 * numbered by the first record that they had.
 */

/** The number of the block that new records are added to. */
export const OPEN_BLOCK = 2 ** 31 - 1

/**
 * Records from which on the open block is closed: with up to as many again a row stays small enough for PostgreSQL to
 * keep it in one piece.
 */
export const FULL_BLOCK_RECORDS = 256

const BYTES = 4
export const FULL_BLOCK_BYTES = FULL_BLOCK_RECORDS * BYTES

/** The numbers of a block, smallest first. */
export function unpack(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength / BYTES }, (_, at) => view.getUint32(at * BYTES))
}

/** How many numbers some blocks have. */
export const countRecords = (blocks: Uint8Array[]) =>
  blocks.reduce((sum, { byteLength }) => sum + byteLength / BYTES, 0)

/** The block of these numbers, in hexadecimal. */
export function pack(seqs: number[]): string {
  return seqs
    .toSorted((a, b) => a - b)
    .map((seq) => seq.toString(16).padStart(2 * BYTES, '0'))
    .join('')
}

/**
 * The distinct numbers of some blocks, largest first, at most `most` of them. Takes time by their number, and least
 * where the blocks are of one list, the last one first.
 */
export function unpackNewest(blocks: Uint8Array[], most: number): Uint32Array {
  const bytes = Buffer.concat(blocks.toReversed())
  // Swapped as a whole: reading one number after the other takes five times as long.
  const seqs = new Uint32Array(bytes.swap32().buffer, bytes.byteOffset, bytes.byteLength / BYTES)
  if (!isAscending(seqs)) seqs.sort()
  let count = 0
  const newest = new Uint32Array(Math.min(most, seqs.length))
  for (let from = seqs.length - 1; from >= 0 && count < newest.length; from--) {
    const seq = seqs[from] ?? 0
    if (count === 0 || newest[count - 1] !== seq) newest[count++] = seq
  }
  return newest.subarray(0, count)
}

function isAscending(seqs: Uint32Array): boolean {
  for (let at = 1; at < seqs.length; at++) if ((seqs[at] ?? 0) <= (seqs[at - 1] ?? 0)) return false
  return true
}

/** Numbers that both lists have, at most `most` of them. Each list has the largest first. */
export function intersect(a: Uint32Array, b: Uint32Array, most: number): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length, most))
  let [count, other] = [0, 0]
  for (let at = 0; at < a.length && count < both.length; at++) {
    const seq = a[at] ?? 0
    while (other < b.length && (b[other] ?? 0) > seq) other++
    if (b[other] === seq) both[count++] = seq
  }
  return both.subarray(0, count)
}
