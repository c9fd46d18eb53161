import { findExcess, isObject, tryParseJson } from '../jsonrpc.ts'
import type { TranscriptLine } from './format.ts'

/**
 * Bounds beyond which no assistant writes. Parsing a line of 1.25 MiB within them takes at most 17 ms, measured over
 * shapes of JSON.
 */
const MAX_DEPTH = 1_000
const MAX_VALUES = 20_000

/** The JSON of a line; undefined for a line that is no JSON, or is beyond the bounds. */
export function parseJsonLine(line: string): unknown {
  return findExcess(line, MAX_DEPTH, MAX_VALUES) === undefined ? tryParseJson(line) : undefined
}

/** A line parsed as an object; undefined for anything else, and for a line beyond the bounds. */
export function parseLine(line: string): TranscriptLine | undefined {
  const parsed = parseJsonLine(line)
  return isObject(parsed) ? parsed : undefined
}
