import { yieldIfDue } from '../cooperative.ts'
import { findExcess, isObject, tryParseJson } from '../jsonrpc.ts'
import type { TranscriptLine } from './format.ts'

/**
 * Bounds beyond which no assistant writes. Parsing a line of 1.25 MiB within them takes at most 17 ms, measured over
 * shapes of JSON.
 */
const MAX_DEPTH = 1_000
const MAX_VALUES = 20_000

/**
 * Bound of arguments that a program writes as JSON in a text: a line may hold many calls, and a text within it counts as
 * one value of the line.
 */
const MAX_ARGUMENT_VALUES = 1_000

/** The JSON of a line; undefined for a line that is no JSON, or is beyond the bounds. */
export function parseJsonLine(line: string, maxValues = MAX_VALUES): unknown {
  return findExcess(line, MAX_DEPTH, maxValues) === undefined ? tryParseJson(line) : undefined
}

/** The arguments of a call: a text that is JSON is parsed, unless it has more than 1,000 values. */
export function parseArguments(input: unknown): unknown {
  return (typeof input === 'string' && parseJsonLine(input, MAX_ARGUMENT_VALUES)) || input
}

/** A line parsed as an object; undefined for anything else, and for a line beyond the bounds. */
export function parseLine(line: string): TranscriptLine | undefined {
  const parsed = parseJsonLine(line)
  return isObject(parsed) ? parsed : undefined
}

/** The same, with a turn for others before and after: a line of 1.25 MiB takes up to 20 ms. */
export async function parseLineInTurn(line: string): Promise<TranscriptLine | undefined> {
  await yieldIfDue()
  const parsed = parseLine(line)
  await yieldIfDue()
  return parsed
}
