import type { Audience } from '../../../record.ts'

/**
 * Private-use characters before the terms made here: FTS5's tokenizer takes them for letters, and no term of a text
 * contains one (the analyzer drops them), so no query can match or imitate such a term.
 */
const VISIBILITY_SIGN = '\ue000'
const PREFIX_SIGN = '\ue001'
const EVERYONE = '*'

/** The term in every index entry that states the workspace and audience of its record. */
export function toVisibilityTerm(workspaceId: number, audience: Audience): string {
  return `${VISIBILITY_SIGN}${workspaceId}v${audience === EVERYONE ? 'all' : toAlphanumeric(audience)}`
}

/**
 * The prefix of every indexed term of an audience's records; none for records that everybody sees. So each audience has
 * a vocabulary of its own, and a list of its terms neither contains nor takes time for terms that only other audiences
 * have.
 */
export function toTermPrefix(audience: Audience): string {
  return audience === EVERYONE ? '' : `${PREFIX_SIGN}${toAlphanumeric(audience)}${PREFIX_SIGN}`
}

const toAlphanumeric = (audience: Audience) => audience.replace(/[^a-z0-9]/gi, '').toLowerCase()
