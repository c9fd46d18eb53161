import type { Audience } from '../../../record.ts'

/**
 * Private-use characters before the terms made here: the tokenizer of FTS5 takes them for letters, and no term of a text has one (the analyzer drops
 * them), so that no query of a user can match or imitate such a term.
 */
const VISIBILITY_SIGN = '\ue000'
const PREFIX_SIGN = '\ue001'
const EVERYONE = '*'

/** The term in every index entry that says in which workspace and for which audience the record is. */
export function toVisibilityTerm(workspaceId: number, audience: Audience): string {
  return `${VISIBILITY_SIGN}${workspaceId}v${audience === EVERYONE ? 'all' : toAlphanumeric(audience)}`
}

/**
 * The prefix of every term of an audience's records in the index; none for records that everybody sees. So each audience has a vocabulary of its own, and a
 * list of terms never has one that only other audiences hold, nor takes longer for those.
 */
export function toTermPrefix(audience: Audience): string {
  return audience === EVERYONE ? '' : `${PREFIX_SIGN}${toAlphanumeric(audience)}${PREFIX_SIGN}`
}

const toAlphanumeric = (audience: Audience) => audience.replace(/[^a-z0-9]/gi, '').toLowerCase()
