import { createHash } from 'node:crypto'
import type { Row } from './place.ts'

/** Number and digest of rows, independent of their order. */
export type Digest = { rows: number; sum: string }

const MODULUS = 1n << 128n

/** The number of rows and the sum, modulo 2^128, of a SHA-256 of each: equal if two places have the same rows. Time is linear in the bytes of the rows. */
export async function digestRows(pages: AsyncIterable<Row[]>, toCompared: (row: Row) => Row): Promise<Digest> {
  let rows = 0
  let sum = 0n
  for await (const page of pages) {
    rows += page.length
    for (const row of page) sum += toNumber(toCompared(row))
  }
  return { rows, sum: (sum % MODULUS).toString(16) }
}

function toNumber(row: Row): bigint {
  const digest = createHash('sha256')
    .update(JSON.stringify(toOrdered(row)))
    .digest()
  return (digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8)
}

/** Converts bytes to text, which JSON lacks, and sorts members, so that equal rows give equal JSON. */
function toOrdered(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${value.toHex()}`
  if (Array.isArray(value)) return value.map(toOrdered)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, toOrdered(part)])
}
