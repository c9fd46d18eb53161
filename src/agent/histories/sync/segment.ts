import { RULES_VERSION, redactLines } from '../../../secrets/redact.ts'
import { sha256Hex } from '../../../secrets/secret.ts'
import type { Piece } from '../source.ts'
import type { Position } from './positions.ts'
import type { Segment } from './wire.ts'

/** Raw bytes of a history that a segment takes up at most, which is also the longest line that a reader gives. What is sent of them is well below what the service takes. */
export const MAX_SEGMENT_BYTES = 2 ** 20
/** Lines that the service takes at a time; and what surely has no more, since each has a character and a line feed. */
export const MAX_SEGMENT_LINES = 2 ** 14
export const SMALL_SEGMENT_BYTES = 2 * MAX_SEGMENT_LINES

/** The uploads stand in a thread of their own, where a long turn disturbs nobody. */
const WINDOW_LENGTH = 65_536
const ZSTD_LEVEL = 3

/** A segment that is ready to be sent, where the history stands once it was taken, and how many credentials of each rule were taken out. */
export type Made = { segment: Omit<Segment, 'sourceId'>; to: Position; redacted: Record<string, number> }

/**
 * Makes a segment of lines that follow a position: redacted, then compressed. Digests are made of redacted lines only: from that of a line as it was, a guess of what was
 * taken out could be confirmed.
 *
 * @throws where lines cannot be searched for credentials: then nothing of them may be sent.
 */
export async function makeSegment(from: Position, { lines, rawStart, rawEnd, cursor }: Piece): Promise<Made> {
  const redacted = await redactLines(lines, WINDOW_LENGTH)
  const counts: Record<string, number> = {}
  for (const one of redacted) for (const [rule, count] of Object.entries(one.counts)) counts[rule] = (counts[rule] ?? 0) + count
  const text = Buffer.from(redacted.map(({ line }) => `${line}\n`).join(''))
  const body = new Uint8Array(Bun.zstdCompressSync(text, { level: ZSTD_LEVEL }))
  const digest = sha256Hex(text)
  const to = { generation: from.generation, rawEnd, chain: sha256Hex(from.chain + digest), cursor, records: from.records + lines.length }
  const base64 = Buffer.from(digest, 'hex').toString('base64')
  const segment = { generation: from.generation, rawStart, rawEnd, body, digest: base64, chain: from.chain, rules: RULES_VERSION }
  return { segment, to, redacted: counts }
}
