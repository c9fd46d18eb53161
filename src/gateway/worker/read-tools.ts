import { isDeeperThan, isObject } from '../../jsonrpc.ts'
import type { UnpickedTool, UpstreamTool } from '../../store/integration.ts'
import { toLine } from '../line.ts'
import { countJsonValues } from './exchange.ts'

/** Bounds of one integration's list, after the allow-list was applied. */
const MAX_TOOLS = 500
const MAX_LIST_CHARACTERS = 1_048_576
const MAX_LIST_VALUES = 50_000

/** Bounds of one tool. */
const MAX_SCHEMA_DEPTH = 32
const MAX_SCHEMA_CHARACTERS = 65_536
const MAX_SCHEMA_VALUES = 5_000
const MAX_NAME_CHARACTERS = 256
const MAX_TITLE_CHARACTERS = 200
const MAX_DESCRIPTION_CHARACTERS = 8_192
const MAX_SKIPPED_NAME_CHARACTERS = 80

/** An omitted tool, and the reason as a clause about it. */
export type SkippedTool = { name: string; why: string }

/**
 * The usable tools of an upstream's list, each as the JSON of an `UpstreamTool`; those excluded by the allow-list; and
 * those that cannot be used.
 */
export type ReadTools = { tools: string[]; unpicked: UnpickedTool[]; skipped: SkippedTool[] }

type Totals = { names: Set<string>; characters: number; values: number }

/**
 * Reads the elements of `tools/list`. Each name is used once. `picked` is the integration's allow-list; of excluded
 * tools at most `MAX_TOOLS` names are returned.
 */
export function readTools(picked: string[] | null, values: unknown[]): ReadTools {
  const kept: ReadTools = { tools: [], unpicked: [], skipped: [] }
  const unpicked = new Map<string, UnpickedTool>()
  const totals: Totals = { names: new Set(), characters: 0, values: 0 }
  for (const value of values) {
    const read = readTool(value)
    const name = 'tool' in read ? read.tool.name : read.name
    if (picked !== null && !picked.includes(name)) {
      if ('tool' in read && unpicked.size < MAX_TOOLS) unpicked.set(name, { name, readOnly: read.tool.readOnly })
      continue
    }
    const added = 'tool' in read ? addToTotals(name, toWellFormedJson(read.tool), totals) : read
    if ('json' in added) kept.tools.push(added.json)
    else kept.skipped.push(added)
  }
  return { ...kept, unpicked: [...unpicked.values()] }
}

/** Counts a tool in the totals of its list unless that would exceed a bound. */
function addToTotals(name: string, json: string, totals: Totals): { json: string } | SkippedTool {
  if (totals.names.has(name)) return { name, why: 'another tool has the same name' }
  if (totals.names.size >= MAX_TOOLS) return { name, why: `there are more than ${MAX_TOOLS} tools` }
  const values = countJsonValues(json)
  if (totals.characters + json.length > MAX_LIST_CHARACTERS || totals.values + values > MAX_LIST_VALUES)
    return { name, why: 'the list is too large' }
  totals.names.add(name)
  totals.characters += json.length
  totals.values += values
  return { json }
}

/**
 * Reads one untrusted element of a list. The size of the result is bounded, and its schemas contain no references to
 * other documents.
 */
function readTool(value: unknown): { tool: UpstreamTool } | SkippedTool {
  const name = isObject(value) && typeof value.name === 'string' ? value.name : undefined
  if (!isObject(value) || name === undefined) return { name: '?', why: 'it has no name' }
  const why = findFault(name, value)
  if (why !== undefined) return { name: toLine(name, MAX_SKIPPED_NAME_CHARACTERS), why }
  const annotations = isObject(value.annotations) ? value.annotations : {}
  const title = [value.title, annotations.title, name].find((text) => typeof text === 'string' && text.trim() !== '')
  const tool: UpstreamTool = {
    name,
    title: toLine(String(title), MAX_TITLE_CHARACTERS),
    description:
      typeof value.description === 'string'
        ? value.description.slice(0, MAX_DESCRIPTION_CHARACTERS).toWellFormed()
        : '',
    readOnly: annotations.readOnlyHint === true,
    mirrored: JSON.stringify(value.inputSchema).includes('"x-mcp-header"'),
    inputSchema: value.inputSchema as Record<string, unknown>,
    ...(isObject(value.outputSchema) && { outputSchema: value.outputSchema }),
  }
  return { tool }
}

function findFault(
  name: string,
  { inputSchema, outputSchema, execution }: Record<string, unknown>,
): string | undefined {
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
  if (json.length > MAX_SCHEMA_CHARACTERS) return `its schemas are larger than ${MAX_SCHEMA_CHARACTERS} characters`
  if (countJsonValues(json) > MAX_SCHEMA_VALUES) return `its schemas have more than ${MAX_SCHEMA_VALUES} values`
  return undefined
}

/**
 * Whether a schema refers to another document. A client that resolves such a reference would send a request to a server
 * of the upstream's choice.
 */
function hasRemoteReference(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.entries(schema).some(([key, value]) =>
    /^\$(ref|dynamicRef|recursiveRef)$/.test(key) && typeof value === 'string'
      ? !value.startsWith('#')
      : hasRemoteReference(value),
  )
}

/** Escapes of JSON; the group is a surrogate, which `JSON.stringify` escapes only where it has no partner. */
const ESCAPES = /\\(?:u(d[89a-f]..)|.)/g

/**
 * The JSON of a value, with U+FFFD for each surrogate without a partner. Programs that cut texts leave such halves, and
 * many clients cannot read a message that contains one.
 */
export function toWellFormedJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\ud')) return json
  return json.replace(ESCAPES, (escaped, half?: string) => (half === undefined ? escaped : '\\ufffd'))
}
