import type { Integration, UpstreamTool } from '../store/integration.ts'
import { type ReadTool, readTool } from './tool.ts'

/** Most tools kept of one integration; its allow-list picks before they are counted. */
const MOST_TOOLS = 500
/** Most characters of JSON kept of one integration. */
const LARGEST_LIST = 2_097_152

/** What became of an upstream's list: what is used of it, and what is left out. */
export type ReadTools = { tools: UpstreamTool[]; left: { name: string; why: string }[] }

/** The tools of a list that the integration may use, each name once, within the bounds. Those that the operator did not pick are not counted as left out. */
export function readTools({ tools: picked }: Pick<Integration, 'tools'>, values: unknown[]): ReadTools {
  const kept: ReadTools = { tools: [], left: [] }
  const room = { names: new Set<string>(), size: 0 }
  for (const value of values) {
    const read = readTool(value)
    const name = 'tool' in read ? read.tool.name : read.name
    if (picked !== null && !picked.includes(name)) continue
    const judged = 'tool' in read ? judge(read.tool, room) : read
    if ('tool' in judged) kept.tools.push(judged.tool)
    else kept.left.push(judged)
  }
  return kept
}

/** Passes a tool for which there is room, and takes it. */
function judge(tool: UpstreamTool, room: { names: Set<string>; size: number }): ReadTool {
  const { name } = tool
  if (room.names.has(name)) return { name, why: 'another tool has the same name' }
  if (room.names.size >= MOST_TOOLS) return { name, why: `there are more than ${MOST_TOOLS} tools` }
  if (room.size >= LARGEST_LIST) return { name, why: 'the list is too large' }
  room.names.add(name)
  room.size += JSON.stringify(tool).length
  return { tool }
}
