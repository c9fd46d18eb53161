import type { Audience } from '../../record.ts'

/** Private characters: no term of a text begins with one, and the index takes them for letters. */
const MARK_SIGN = '\ue000'
const OWN_SIGN = '\ue001'
const EVERYONE = '*'

/** The one word by which the index knows a record's workspace and audience; letters and digits only behind the sign. */
export function toVisibilityTerm(workspaceId: number, audience: Audience): string {
  return `${MARK_SIGN}${workspaceId}v${audience === EVERYONE ? 'all' : toLetters(audience)}`
}

/**
 * What stands before each term of an audience's records in the index. Every audience but everyone has terms of its own, so that a list of
 * terms never has one that only others hold, however many those are.
 */
export function toTermPrefix(audience: Audience): string {
  return audience === EVERYONE ? '' : `${OWN_SIGN}${toLetters(audience)}${OWN_SIGN}`
}

const toLetters = (audience: Audience) => audience.replace(/[^a-z0-9]/gi, '').toLowerCase()
