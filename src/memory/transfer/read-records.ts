import { Refusal } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { type Entry, readEntry } from './entry.ts'
import { findGraphValues } from './graph.ts'
import type { Item } from './item.ts'
import { type Line, readLines } from './lines.ts'

/** The items of JSON Lines: records, or entities and relations of the reference memory server, told apart line by line. */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Item> {
  for await (const line of readLines(chunks)) yield toItem(line)
}

function toItem(line: Line): Item {
  const where = `line ${line.number}`
  if ('refused' in line) return { where, refused: line.refused }
  try {
    return { where, entries: toEntries(line.text) }
  } catch (error) {
    if (error instanceof Refusal) return { where, refused: error.message }
    throw error
  }
}

function toEntries(text: string): Entry[] {
  const value = parse(text)
  if (!isObject(value)) throw new Refusal('it is not a JSON object')
  return (findGraphValues(value) ?? [value]).map(readEntry)
}

/** Nested too deep is not JSON either: the parser gives up. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('it is not JSON')
  }
}
