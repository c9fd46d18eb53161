import { countJsonValues } from './count-values.ts'
import { type ReadTool, readTool } from './tool.ts'

/** Most tools kept of one integration; its allow-list picks before they are counted. */
const MAX_TOOLS = 500
/** Most characters and values of JSON kept of one integration. */
const MAX_LIST_CHARACTERS = 1_048_576
const MAX_LIST_VALUES = 50_000

/** What became of an upstream's list: what is used of it, each tool as JSON, and what is left out. */
export type ReadTools = { tools: string[]; left: { name: string; why: string }[] }

type Taken = { names: Set<string>; characters: number; values: number }

/** The tools of a list that the integration may use, each name once, within the bounds. Those that the operator did not pick are not counted as left out. */
export function readTools(picked: string[] | null, values: unknown[]): ReadTools {
  const kept: ReadTools = { tools: [], left: [] }
  const taken: Taken = { names: new Set(), characters: 0, values: 0 }
  for (const value of values) {
    const read = readTool(value)
    const name = 'tool' in read ? read.tool.name : read.name
    if (picked !== null && !picked.includes(name)) continue
    const judged = 'tool' in read ? judge(name, JSON.stringify(read.tool), taken) : read
    if ('json' in judged) kept.tools.push(judged.json)
    else kept.left.push(judged)
  }
  return kept
}

/** Passes a tool for which there is room, and takes it. */
function judge(name: string, json: string, taken: Taken): { json: string } | Exclude<ReadTool, { tool: unknown }> {
  if (taken.names.has(name)) return { name, why: 'another tool has the same name' }
  if (taken.names.size >= MAX_TOOLS) return { name, why: `there are more than ${MAX_TOOLS} tools` }
  const values = countJsonValues(json)
  if (taken.characters + json.length > MAX_LIST_CHARACTERS || taken.values + values > MAX_LIST_VALUES)
    return { name, why: 'the list is too large' }
  taken.names.add(name)
  taken.characters += json.length
  taken.values += values
  return { json }
}
