import { Refusal } from '../errors.ts'
import { MAX_ANSWER_BYTES } from './worker/exchange.ts'

// The fields of an integration as a person enters them. Each function returns the value to store, and throws a Refusal
// for an invalid one.

/** The unit in which people enter the value, and in which a refusal states it. */
type Range = { default: number; min: number; max: number; unit: { name: string; size: number } }

const SLUG = /^[a-z][a-z0-9-]{1,30}$/
export const TIMEOUT_MS: Range = { default: 300_000, min: 1_000, max: 600_000, unit: { name: 'seconds', size: 1_000 } }
export const ANSWER_BYTES: Range = {
  default: 1_048_576,
  min: 1_024,
  max: MAX_ANSWER_BYTES,
  unit: { name: 'bytes', size: 1 },
}
const MAX_PICKED_TOOLS = 500
/** Parsing a URL takes time quadratic in the combining marks of its host name. */
const MAX_URL_CHARACTERS = 2_048

export function requireSlug(text: string): string {
  if (!SLUG.test(text))
    throw new Refusal('the slug must have 2 to 31 small letters, digits and hyphens, and begin with a letter', 'slug')
  return text
}

export function requireUrl(text: string): string {
  if (text.length > MAX_URL_CHARACTERS)
    throw new Refusal(`the URL must have at most ${MAX_URL_CHARACTERS} characters`, 'url')
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Refusal('the URL must be an https URL', 'url')
  if (url.username || url.password || url.hash)
    throw new Refusal('the URL must have no user and no fragment; a credential belongs into a header', 'url')
  return url.href
}

/** The allow-list of tools, which must not be empty: an integration without tools should be disabled instead. */
export function requirePicks(tools: string[] | null): string[] | null {
  if (tools !== null && tools.length === 0)
    throw new Refusal('leave at least one tool switched on, or disable the integration for its projects')
  return requireTools(tools ?? undefined)
}

export function requireTools(tools: string[] | undefined): string[] | null {
  if (tools === undefined || tools.length === 0) return null
  if (tools.length > MAX_PICKED_TOOLS) throw new Refusal(`at most ${MAX_PICKED_TOOLS} tools can be picked`)
  return [...new Set(tools)].sort()
}

export function requireInRange(what: string, value: number | undefined, range: Range, field?: string): number {
  if (value === undefined) return range.default
  const { min, max, unit } = range
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Refusal(`${what} must be from ${min / unit.size} to ${max / unit.size} ${unit.name}`, field)
  return value
}
