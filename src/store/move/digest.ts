import { createHash } from 'node:crypto'
import type { Row } from './place.ts'

/** How many rows there are, and what they say, whatever their order. */
export type Digest = { rows: number; sum: string }

const MODULUS = 1n << 128n

/**
 * The number of rows and the sum, modulo 2^128, of a SHA-256 of each: equal where two places hold the same rows. Takes time by the bytes of the rows.
 */
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

/** JSON has no bytes, and objects are to say the same whatever the order of their fields. */
function toOrdered(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes ${value.toHex()}`
  if (Array.isArray(value)) return value.map(toOrdered)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, toOrdered(part)])
}
