import { isObject } from '../jsonrpc.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import type { ListedTools } from './listed-tool.ts'

/** Bounds of the list, in UTF-16 units: a model reads all of it. */
const MAX_TEXT_CHARACTERS = 12_000
const MAX_DESCRIPTION_CHARACTERS = 120
const MAX_NAME_CHARACTERS = 128

/**
 * The tools of an integration that `gateway_call` accepts, one a line: name, arguments, and the beginning of the
 * description.
 */
export function toToolLines({ slug, mode }: Integration, { byOwnName, withheld }: ListedTools): string {
  const tools = [...byOwnName.values()].filter(
    (tool) => (mode === 'read-write' || tool.readOnly) && !withheld.has(tool.name),
  )
  if (tools.length === 0) return `Integration '${slug}' has no tools that can be called.`
  const lines: string[] = []
  let left = MAX_TEXT_CHARACTERS
  for (const tool of tools) {
    const line = toLine(tool)
    left -= line.length
    if (left < 0) break
    lines.push(line)
  }
  const more = tools.length > lines.length ? [`and ${tools.length - lines.length} more`] : []
  return [`Tools of integration '${slug}', as its server describes them:`, ...lines, ...more].join('\n')
}

function toLine({ name, description, inputSchema }: UpstreamTool): string {
  const { properties, required } = inputSchema as { properties?: unknown; required?: unknown }
  const isRequired = (argument: string) => Array.isArray(required) && required.includes(argument)
  const args = Object.keys(isObject(properties) ? properties : {}).map((argument) =>
    isRequired(argument) ? argument : `${argument}?`,
  )
  return `- ${cut(name, MAX_NAME_CHARACTERS)}(${cut(args.join(', '), 2 * MAX_NAME_CHARACTERS)}): ${cut(description, MAX_DESCRIPTION_CHARACTERS)}`
}

/** In one line. */
function cut(text: string, max: number): string {
  const line = text
    .slice(0, 4 * max)
    .replace(/\s+/g, ' ')
    .trim()
  return (line.length > max ? `${line.slice(0, max - 1)}…` : line).toWellFormed()
}

/** Characters that the listed tools add to `tools/list`, and their number. */
export function measureListed({ shown }: ListedTools): { tools: number; characters: number } {
  return { tools: shown.dotted.length, characters: shown.dotted.reduce((sum, { json }) => sum + json.length, 0) }
}
