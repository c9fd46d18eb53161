import { RULES_VERSION } from '../../../secrets/credentials.ts'
import { redactLines } from '../../../secrets/redact.ts'
import { sha256Hex } from '../../../secrets/secret.ts'
import type { Piece } from '../source.ts'
import type { Position } from './positions.ts'
import type { Segment } from './wire.ts'

/**
 * Maximum number of raw bytes of a history in a segment, which is also the maximum length of a line. Redacted and compressed they are well below the
 * service's limit.
 */
export const MAX_SEGMENT_BYTES = 2 ** 20
/** Maximum number of lines per request; and a number of bytes that cannot contain more lines, since each has a character and a line feed. */
export const MAX_SEGMENT_LINES = 2 ** 14
export const SMALL_SEGMENT_BYTES = 2 * MAX_SEGMENT_LINES

const ZSTD_LEVEL = 3

/** A segment ready to be sent, the position after it, and the number of redactions by rule. */
export type Made = { segment: Omit<Segment, 'sourceId'>; to: Position; redacted: Record<string, number> }

/**
 * Makes a segment of the lines after a position: redacted, then compressed. Digests are computed over redacted lines only, since a digest of the original
 * line would allow a guess of a credential to be confirmed.
 *
 * @throws if lines cannot be searched for credentials; they must then not be sent.
 */
export async function makeSegment(from: Position, { lines, rawStart, rawEnd, cursor }: Piece): Promise<Made> {
  const redacted = await redactLines(lines)
  const counts: Record<string, number> = {}
  for (const one of redacted) for (const [rule, count] of Object.entries(one.counts)) counts[rule] = (counts[rule] ?? 0) + count
  const text = Buffer.from(redacted.map(({ line }) => `${line}\n`).join(''))
  const body = new Uint8Array(Bun.zstdCompressSync(text, { level: ZSTD_LEVEL }))
  const digest = sha256Hex(text)
  const to = { generation: from.generation, rawEnd, chain: sha256Hex(from.chain + digest), cursor }
  const base64 = Buffer.from(digest, 'hex').toString('base64')
  const segment = { generation: from.generation, rawStart, rawEnd, body, digest: base64, chain: from.chain, rules: RULES_VERSION }
  return { segment, to, redacted: counts }
}
