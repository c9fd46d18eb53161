import { Refusal } from '../../errors.ts'
import { normalize } from '../../text/normalize.ts'

export const MAX_NAME_CHARACTERS = 100
/** UTF-16 units that are looked at: every name of 100 characters has fewer, however its accents are written. */
const MAX_GIVEN_LENGTH = 8 * MAX_NAME_CHARACTERS

/** A name a person gave: 1 to 100 characters without control characters, blanks around it taken off. */
export function requireName(what: string, text: string): string {
  const name = text.length > MAX_GIVEN_LENGTH ? '' : normalize(text, 'NFC').trim()
  if (name === '' || [...name].length > MAX_NAME_CHARACTERS) throw new Refusal(`${what} must have 1 to ${MAX_NAME_CHARACTERS} characters`)
  if (/\p{C}/u.test(name)) throw new Refusal(`${what} must have no control characters`)
  return name
}
