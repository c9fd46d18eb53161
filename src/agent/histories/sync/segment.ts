import { redactLines } from '../../../secrets/redact.ts'
import { sha256Hex } from '../../../secrets/secret.ts'
import type { Piece } from '../source.ts'
import type { Position } from './positions.ts'
import type { Segment } from './wire.ts'

/** Maximum number of raw bytes of a history in a segment, unless a line is longer; and of one that the service finds too large. */
export const MAX_SEGMENT_BYTES = 2 ** 19
export const SMALL_SEGMENT_BYTES = 2 ** 15

const ZSTD_LEVEL = 3

/** A segment ready to be sent, the position after it, and the number of redactions by rule. */
export type Made = { segment: Omit<Segment, 'sourceId'>; to: Position; redacted: Record<string, number> }

/**
 * Makes a segment of the lines after a position: redacted, then compressed. Digests are computed over redacted lines only, since a digest of the original
 * line would allow a guess of a credential to be confirmed.
 *
 * @throws if lines cannot be searched for credentials; they must then not be sent.
 */
export async function makeSegment(from: Position, { lines, rawEnd, cursor }: Piece): Promise<Made> {
  const redacted = await redactLines(lines)
  const counts: Record<string, number> = {}
  for (const one of redacted) for (const [rule, count] of Object.entries(one.counts)) counts[rule] = (counts[rule] ?? 0) + count
  const text = Buffer.from(redacted.map(({ line }) => `${line}\n`).join(''))
  const body = new Uint8Array(Bun.zstdCompressSync(text, { level: ZSTD_LEVEL }))
  const digest = sha256Hex(text)
  const to = { rawEnd, chain: sha256Hex(from.chain + digest), cursor }
  const segment = { isFirst: from.cursor === null, body, digest: Buffer.from(digest, 'hex').toString('base64'), chain: from.chain }
  return { segment, to, redacted: counts }
}
