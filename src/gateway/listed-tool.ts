import { createHash } from 'node:crypto'
import { yieldIfDue } from '../cooperative.ts'
import { toPortableSchema } from '../portable-schema.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import { toPublishedOutput } from './mark-field.ts'
import { findToolChanges, type ToolChange } from './tool-changes.ts'

/** How tools of integrations are named: `<slug>.<tool>`, or `<slug>__<tool>` for clients that refuse dots. */
export type NameStyle = 'dotted' | 'underscored'

const NAME_STYLES: NameStyle[] = ['dotted', 'underscored']

const SPELLING = {
  dotted: { separator: '.', plain: /^[A-Za-z0-9_.-]+$/ },
  underscored: { separator: '__', plain: /^[A-Za-z0-9_-]+$/ },
}

/** Maximum length of a listed name: model providers accept 64 characters, and clients prefix the name of the server. */
const MAX_NAME_CHARACTERS = 45
const HASH_CHARACTERS = 8

/** A tool of an integration as `tools/list` shows it: its listed name, the JSON of its entry, and the tool itself. */
type ListedTool = { name: string; json: string; tool: UpstreamTool }

/**
 * The tools of one integration. `byName`: the read-only ones under both styles of name. `byOwnName`: all, by the
 * upstream's names. `withheld`: changes that nobody has accepted, by the upstream's names. `shown`: the read-only ones
 * that are not withheld.
 */
export type ListedTools = {
  shown: Record<NameStyle, ListedTool[]>
  byName: ReadonlyMap<string, ListedTool>
  byOwnName: ReadonlyMap<string, UpstreamTool>
  withheld: ReadonlyMap<string, ToolChange>
}

/**
 * Renders the tools of an integration for `tools/list`, sorted by the upstream's names. Yields to the event loop
 * between tools.
 */
export async function toListedTools(
  integration: Integration,
  tools: UpstreamTool[],
  accepted: UpstreamTool[],
): Promise<ListedTools> {
  const shown: Record<NameStyle, ListedTool[]> = { dotted: [], underscored: [] }
  const byName = new Map<string, ListedTool>()
  const withheld = new Map(findToolChanges(tools, accepted).map((change) => [change.after.name, change]))
  const rank = ({ name }: UpstreamTool) => Number(withheld.has(name))
  // Withheld tools come last, so that they cannot take a listed name from another one.
  const sorted = tools
    .filter(({ readOnly }) => readOnly)
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  for (const tool of sorted) {
    await yieldIfDue()
    const members = toMembers(integration, tool)
    for (const style of NAME_STYLES) {
      const name = toListedName(style, integration.slug, tool.name)
      // If two tools get the same name, the first is listed.
      if (byName.has(name)) continue
      const listed = { name, json: `{"name":${JSON.stringify(name)},${members}`, tool }
      byName.set(name, listed)
      if (!withheld.has(tool.name)) shown[style].push(listed)
    }
  }
  return { shown, byName, byOwnName: new Map(tools.map((tool) => [tool.name, tool])), withheld }
}

/** The JSON of a tool's entry after its name, the only member that depends on the style. */
function toMembers(integration: Integration, { title, description, inputSchema, outputSchema }: UpstreamTool): string {
  const fullTitle = `${integration.name} (read-only): ${title}`
  const annotations = {
    title: fullTitle,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  }
  return JSON.stringify({
    title: fullTitle,
    description,
    inputSchema: toPortableSchema(inputSchema),
    outputSchema: toPublishedOutput(outputSchema),
    annotations,
  }).slice(1)
}

/**
 * The name under which a tool is listed: at most 45 characters, and deterministic. A name that is too long or has
 * characters that clients refuse gets those replaced by `_`, is cut, and ends in `_` and the first 8 hexadecimal digits
 * of the SHA-256 of the upstream's name.
 */
function toListedName(style: NameStyle, slug: string, tool: string): string {
  const { separator, plain } = SPELLING[style]
  const maxCharacters = MAX_NAME_CHARACTERS - slug.length - separator.length
  if (plain.test(tool) && tool.length <= maxCharacters) return `${slug}${separator}${tool}`
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, HASH_CHARACTERS)
  const readable = tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, maxCharacters - HASH_CHARACTERS - 1)
  return `${slug}${separator}${readable}_${digest}`
}

/** The slug at the beginning of a listed name of either style. */
export function findSlug(name: string): string | undefined {
  return /^([a-z][a-z0-9-]*)(\.|__)/.exec(name)?.[1]
}

/** What follows the slug in a listed name. */
export function withoutSlug(name: string, slug: string): string {
  return name.slice(slug.length).replace(/^(\.|__)/, '')
}
