import { findExcess } from '../jsonrpc.ts'
import type { TranscriptLine } from '../transcripts/format.ts'

/** Bounds beyond which no assistant writes, and parsing a line would hold the event loop for more than 25 ms. */
const MAX_DEPTH = 1_000
const MAX_VALUES = 50_000

/** A line parsed as an object; undefined for anything else, and for a line beyond the bounds. */
export function parseLine(line: string): TranscriptLine | undefined {
  if (findExcess(line, MAX_DEPTH, MAX_VALUES) !== undefined) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as TranscriptLine) : undefined
  } catch {
    return undefined
  }
}
