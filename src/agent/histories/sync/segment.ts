import { MAX_LINE_LENGTH, RULES_VERSION, redactLines } from '../../../secrets/redact.ts'
import { sha256Hex } from '../../../secrets/secret.ts'
import type { Piece } from '../source.ts'
import type { Position } from './positions.ts'
import type { Segment } from './wire.ts'

/** Raw bytes of a history that a segment takes up at most, unless one line is longer. */
export const MAX_SEGMENT_BYTES = 2 ** 20
/** Lines that the service takes at a time; and what surely has no more, since each has a character and a line feed. */
export const MAX_SEGMENT_LINES = 2 ** 14
export const MANY_LINES_BYTES = 2 * MAX_SEGMENT_LINES
/** What the service takes, uncompressed and compressed. */
const MAX_BODY_BYTES = 4 * 2 ** 20
const MAX_COMPRESSED_BYTES = 1.5 * 2 ** 20

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
  const redacted = await redactLines(lines.map(toSearchable), WINDOW_LENGTH)
  const counts: Record<string, number> = {}
  for (const one of redacted) for (const [rule, count] of Object.entries(one.counts)) counts[rule] = (counts[rule] ?? 0) + count
  const { text, body } = pack(redacted.map(({ line }) => line))
  const digest = sha256Hex(text)
  const to = { generation: from.generation, rawEnd, chain: sha256Hex(from.chain + digest), cursor, records: from.records + lines.length }
  const base64 = Buffer.from(digest, 'hex').toString('base64')
  const segment = { generation: from.generation, rawStart, rawEnd, body, digest: base64, chain: from.chain, rules: RULES_VERSION }
  return { segment, to, redacted: counts }
}

function pack(lines: string[]): { text: Buffer; body: Uint8Array<ArrayBuffer> } {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  if (text.length <= MAX_BODY_BYTES) {
    const body = new Uint8Array(Bun.zstdCompressSync(text, { level: ZSTD_LEVEL }))
    if (body.length <= MAX_COMPRESSED_BYTES) return { text, body }
  }
  // Only a segment of one line can be as large.
  return pack(lines.map((line) => toStub(line)))
}

const toSearchable = (line: string) => (line.length > MAX_LINE_LENGTH ? toStub(line) : line)

/** What stands for a line that is larger than the service takes, as readers leave out large parts of lines. */
function toStub(line: string): string {
  return JSON.stringify({ $omitted: { bytes: Buffer.byteLength(line), reason: 'too_large' } })
}
