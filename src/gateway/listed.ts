import type { Integration, UpstreamTool } from '../store/integration.ts'
import { type Style, toListedName } from './name.ts'

/** A tool of an integration as `tools/list` shows it: its name, the JSON of its entry, and the tool itself. */
export type ListedTool = { name: string; json: string; tool: UpstreamTool }

/** The read-only tools of an integration, under both styles of name, in the upstream's order by name. */
export type Listed = {
  shown: Record<Style, ListedTool[]>
  byName: ReadonlyMap<string, ListedTool>
  byOwnName: ReadonlyMap<string, UpstreamTool>
}

/** Frames a list of tools for callers. Only tools annotated read-only are shown. */
export function toListed(integration: Integration, tools: UpstreamTool[]): Listed {
  const readOnly = tools.filter(({ readOnly }) => readOnly).sort((a, b) => (a.name < b.name ? -1 : 1))
  const shown = { dotted: frame(integration, 'dotted', readOnly), underscored: frame(integration, 'underscored', readOnly) }
  return {
    shown,
    byName: new Map([...shown.underscored, ...shown.dotted].map((listed) => [listed.name, listed])),
    byOwnName: new Map(tools.map((tool) => [tool.name, tool])),
  }
}

/** Of two tools that came to one name, the first is shown. */
function frame(integration: Integration, style: Style, tools: UpstreamTool[]): ListedTool[] {
  const byName = new Map<string, ListedTool>()
  for (const tool of tools) {
    const name = toListedName(style, integration.slug, tool.name)
    if (!byName.has(name)) byName.set(name, { name, json: toJson(integration, name, tool), tool })
  }
  return [...byName.values()]
}

function toJson(integration: Integration, name: string, { title, description, inputSchema, outputSchema }: UpstreamTool): string {
  const full = `${integration.name} (read-only): ${title}`
  const annotations = { title: full, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
  return JSON.stringify({ name, title: full, description, inputSchema, outputSchema, annotations })
}
