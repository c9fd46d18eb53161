import { Refusal } from '../../errors.ts'
import type { Params } from '../../jsonrpc.ts'

/**
 * What a line of the reference memory server's file says, as values of entries: a record for each observation of an entity, one for a relation.
 * Undefined for a line of another kind. Throws a Refusal for a broken one.
 */
export function findGraphValues(line: Params): Params[] | undefined {
  if (line.type === 'entity') return toEntityValues(line)
  if (line.type === 'relation') return [toRelationValue(line)]
  return undefined
}

function toEntityValues(line: Params): Params[] {
  const name = requireField(line, 'name')
  const titled = `${name} (${requireField(line, 'entityType')})`
  const { observations } = line
  if (!Array.isArray(observations)) throw new Refusal('observations must be an array')
  if (observations.some((observation) => typeof observation !== 'string')) throw new Refusal('observations must be strings')
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
