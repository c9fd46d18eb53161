import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import { findExcess, isObject, type Params } from '../../jsonrpc.ts'
import { type Entry, type Item, readEntry } from './entry.ts'

/**
 * Maximum bytes and entries of a line; by default `MAX_LINE_BYTES`, and any number of entries. A line has at most ten
 * JSON values for each entry: 512 KiB of members of one object take 40 ms to be parsed and checked.
 */
type LineBounds = { lineBytes?: number; lineEntries?: number }
const MAX_VALUES_OF_ENTRY = 10

/**
 * The items of JSON Lines: records, or entities and relations of the reference memory server's file, told apart line by
 * line.
 */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  { lineBytes, lineEntries }: LineBounds = {},
): AsyncGenerator<Item> {
  for await (const line of readLines(chunks, lineBytes)) yield toItem(line, lineEntries)
}

function toItem(line: Line, maxEntries = Number.POSITIVE_INFINITY): Item {
  const where = `line ${line.number}`
  if ('refused' in line) return { where, refused: line.refused }
  try {
    return { where, entries: toEntries(line.text, maxEntries) }
  } catch (error) {
    if (error instanceof Refusal) return { where, refused: error.message }
    throw error
  }
}

function toEntries(text: string, maxEntries: number): Entry[] {
  const maxValues = MAX_VALUES_OF_ENTRY * maxEntries
  if (findExcess(text, maxValues, maxValues) !== undefined) throw new Refusal(`it has more than ${maxValues} values`)
  const value = parseJson(text)
  if (!isObject(value)) throw new Refusal('it is not a JSON object')
  if (Array.isArray(value.observations) && value.observations.length > maxEntries)
    throw new Refusal(`it stands for more than ${maxEntries} records`)
  return (findGraphValues(value) ?? [value]).map(readEntry)
}

/** @throws Refusal for text that is not JSON, and for JSON that is nested too deeply for the parser. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('it is not JSON')
  }
}

/**
 * The entries of a line from the reference memory server's file: one for each observation of an entity, one for a
 * relation. Undefined for any other line.
 *
 * @throws Refusal for an entity or a relation that lacks a field.
 */
function findGraphValues(line: Params): Params[] | undefined {
  if (line.type === 'entity') return toEntityValues(line)
  if (line.type === 'relation') return [toRelationValue(line)]
  return undefined
}

function toEntityValues(line: Params): Params[] {
  const name = requireField(line, 'name')
  const titled = `${name} (${requireField(line, 'entityType')})`
  const { observations } = line
  if (!Array.isArray(observations)) throw new Refusal('observations must be an array')
  if (observations.some((observation) => typeof observation !== 'string'))
    throw new Refusal('observations must be strings')
  if (observations.length === 0) return [{ content: titled, source_id: name }]
  return observations.map((observation) => ({ content: `${titled}: ${observation}`, source_id: name }))
}

function toRelationValue(line: Params): Params {
  const from = requireField(line, 'from')
  return { content: `${from} ${requireField(line, 'relationType')} ${requireField(line, 'to')}`, source_id: from }
}

function requireField(line: Params, name: string): string {
  const value = line[name]
  if (typeof value !== 'string' || value.trim() === '') throw new Refusal(`${name} must be a string that is not empty`)
  return value
}

/** A line of a stream with its number from 1, or why it cannot be read. */
export type Line = { number: number; text: string } | { number: number; refused: string }

/** Default maximum length of a line, in bytes. A longer one is refused, and its bytes are not kept in memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024

const NEW_LINE = 0x0a
const LINES_IN_ONE_TURN = 256
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Splits a stream of UTF-8 into lines, without their line ends and without a byte order mark at the beginning. Blank
 * lines count for the line numbers and are not yielded.
 *
 * @throws Refusal for a stream that begins with a byte order mark of UTF-16.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const pending = createPending(maxLineBytes)
  let number = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, start)) {
      pending.add(chunk.subarray(start, end))
      start = end + 1
      number += 1
      const line = toLine(number, pending.take(), maxLineBytes)
      if (line !== undefined) yield line
      // Blank lines are not yielded, so only this lets other work run between them.
      if (number % LINES_IN_ONE_TURN === 0) await yieldIfDue()
    }
    // Copied: the source may reuse the memory of a chunk for the next one.
    pending.add(chunk.slice(start))
  }
  const last = toLine(number + 1, pending.take(), maxLineBytes)
  if (last !== undefined) yield last
}

/** Collects the pieces of a line, at most `maxBytes` of them. `take` returns undefined for a line that is longer. */
function createPending(maxBytes: number) {
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    add: (piece: Uint8Array) => {
      size += piece.length
      if (size <= maxBytes) pieces.push(piece)
      else pieces = []
    },
    take: (): Uint8Array | undefined => {
      const whole = size > maxBytes ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
      pieces = []
      size = 0
      return whole
    },
  }
}

function toLine(number: number, bytes: Uint8Array | undefined, maxBytes: number): Line | undefined {
  if (bytes === undefined) return { number, refused: `it is longer than ${maxBytes} bytes` }
  if (number === 1) refuseUtf16(bytes)
  try {
    const text = utf8.decode(number === 1 && bytes[0] === 0xef ? withoutByteOrderMark(bytes) : bytes)
    return text.trim() === '' ? undefined : { number, text }
  } catch {
    return { number, refused: 'it is not UTF-8' }
  }
}

function refuseUtf16([first, second]: Uint8Array): void {
  const isMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isMark) throw new Refusal('the file is UTF-16; save it as UTF-8')
}

const withoutByteOrderMark = (bytes: Uint8Array) => (bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes)
