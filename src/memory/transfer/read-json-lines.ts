import { Refusal } from '../../errors.ts'
import { isObject, type Params } from '../../jsonrpc.ts'
import { type Entry, type Item, readEntry } from './entry.ts'
import { type Line, readLines } from './lines.ts'

/** Maximum bytes and entries of a line; by default `MAX_LINE_BYTES`, and any number of entries. */
type LineBounds = { lineBytes?: number; lineEntries?: number }

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
