import { createHash } from 'node:crypto'

/** The longest name a client accepts, in characters. */
const MAX_NAME_CHARACTERS = 64
const HASH_CHARACTERS = 8

/** How the tools of integrations are called: `<slug>.<tool>`, or `<slug>__<tool>` for clients that refuse dots. */
export type Style = 'dotted' | 'underscored'

export const STYLES: Style[] = ['dotted', 'underscored']

const SPELLING = {
  dotted: { between: '.', plain: /^[A-Za-z0-9_.-]+$/ },
  underscored: { between: '__', plain: /^[A-Za-z0-9_-]+$/ },
}

/**
 * The name under which an integration's tool is listed: at most 64 characters, the same every time. A tool whose own name is too long or has
 * other characters gets `_` in their place, is cut, and ends in `_` and 8 digits of the SHA-256 of its own name.
 */
export function toListedName(style: Style, slug: string, tool: string): string {
  const { between, plain } = SPELLING[style]
  const room = MAX_NAME_CHARACTERS - slug.length - between.length
  if (plain.test(tool) && tool.length <= room) return `${slug}${between}${tool}`
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, HASH_CHARACTERS)
  const rest = tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, room - HASH_CHARACTERS - 1)
  return `${slug}${between}${rest}_${digest}`
}

/** The slug a name of either style begins with. */
export function findSlug(name: string): string | undefined {
  return /^([a-z][a-z0-9-]*)(\.|__)/.exec(name)?.[1]
}
