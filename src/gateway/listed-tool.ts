import { yieldIfDue } from '../cooperative.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import { STYLES, type Style, toListedName } from './name.ts'

/** A tool of an integration as `tools/list` shows it: its name, the JSON of its entry, and the tool itself. */
export type ListedTool = { name: string; json: string; tool: UpstreamTool }

/** The read-only tools of an integration, under both styles of name, in the upstream's order by name. */
export type Listed = {
  shown: Record<Style, ListedTool[]>
  byName: ReadonlyMap<string, ListedTool>
  byOwnName: ReadonlyMap<string, UpstreamTool>
}

/** Frames a list of tools for callers, a piece at a time. Only tools annotated read-only are shown. */
export async function toListed(integration: Integration, tools: UpstreamTool[]): Promise<Listed> {
  const shown: Record<Style, ListedTool[]> = { dotted: [], underscored: [] }
  const byName = new Map<string, ListedTool>()
  for (const tool of tools.filter(({ readOnly }) => readOnly).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await yieldIfDue()
    const rest = toRest(integration, tool)
    for (const style of STYLES) {
      const name = toListedName(style, integration.slug, tool.name)
      // Of two tools that came to one name, the first is shown.
      if (byName.has(name)) continue
      const listed = { name, json: `{"name":${JSON.stringify(name)},${rest}`, tool }
      byName.set(name, listed)
      shown[style].push(listed)
    }
  }
  return { shown, byName, byOwnName: new Map(tools.map((tool) => [tool.name, tool])) }
}

/** The JSON of a tool's entry after its name, which depends on the style. */
function toRest(integration: Integration, { title, description, inputSchema, outputSchema }: UpstreamTool): string {
  const full = `${integration.name} (read-only): ${title}`
  const annotations = { title: full, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
  return JSON.stringify({ title: full, description, inputSchema, outputSchema, annotations }).slice(1)
}
