import { isDeeperThan, isObject } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import { countJsonValues } from './count-values.ts'

const MAX_SCHEMA_DEPTH = 32
const MAX_TOOL_BYTES = 65_536
const MAX_SCHEMA_VALUES = 5_000
const MAX_NAME_CHARACTERS = 256
const MAX_TITLE_CHARACTERS = 200
const MAX_DESCRIPTION_CHARACTERS = 8_192
/** How many times a line's length is looked through for it: blanks and control characters fall together. */
const MOST_BLANKS = 4

/** One element of an upstream's list: fit to be used, or why it is left out. */
export type ReadTool = { tool: UpstreamTool } | { name: string; why: string }

/** Reads what anybody may have written. What is kept is bounded, and its schemas refer to nothing outside themselves. */
export function readTool(value: unknown): ReadTool {
  const name = isObject(value) && typeof value.name === 'string' ? value.name : undefined
  if (!isObject(value) || name === undefined) return { name: '?', why: 'it has no name' }
  const why = findFault(name, value)
  if (why !== undefined) return { name: toLine(name, 80), why }
  const annotations = isObject(value.annotations) ? value.annotations : {}
  const title = [value.title, annotations.title, name].find((text) => typeof text === 'string' && text.trim() !== '')
  const tool: UpstreamTool = {
    name,
    title: toLine(String(title), MAX_TITLE_CHARACTERS),
    description: typeof value.description === 'string' ? value.description.slice(0, MAX_DESCRIPTION_CHARACTERS).toWellFormed() : '',
    readOnly: annotations.readOnlyHint === true,
    mirrored: JSON.stringify(value.inputSchema).includes('"x-mcp-header"'),
    inputSchema: value.inputSchema as Record<string, unknown>,
    ...(isObject(value.outputSchema) && { outputSchema: value.outputSchema }),
  }
  return { tool }
}

function findFault(name: string, { inputSchema, outputSchema, execution }: Record<string, unknown>): string | undefined {
  if (name === '' || name.length > MAX_NAME_CHARACTERS || !name.isWellFormed())
    return `its name must have 1 to ${MAX_NAME_CHARACTERS} characters`
  if (/\p{C}/u.test(name)) return 'its name has control characters'
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return 'its input schema is not one of an object'
  if (isObject(execution) && execution.taskSupport === 'required') return 'it runs only as a task'
  const schemas = [inputSchema, outputSchema]
  if (schemas.some((schema) => isDeeperThan(schema, MAX_SCHEMA_DEPTH)))
    return `its schemas are nested deeper than ${MAX_SCHEMA_DEPTH} levels`
  if (schemas.some(hasRemoteReference)) return 'its schemas refer to another document'
  const json = JSON.stringify(schemas)
  if (json.length > MAX_TOOL_BYTES) return `its schemas are larger than ${MAX_TOOL_BYTES} characters`
  if (countJsonValues(json) > MAX_SCHEMA_VALUES) return `its schemas have more than ${MAX_SCHEMA_VALUES} values`
  return undefined
}

/** A client that follows such a reference would ask a server of the upstream's choice. */
function hasRemoteReference(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([key, value]) =>
    /^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof value === 'string' ? !value.startsWith('#') : hasRemoteReference(value),
  )
}

/** One line of readable text. */
function toLine(text: string, longest: number): string {
  return text
    .slice(0, MOST_BLANKS * longest)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
}
