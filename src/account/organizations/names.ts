import { Refusal } from '../../errors.ts'
import type { Role } from '../../store/account.ts'
import { normalize } from '../../text/normalize.ts'

export const MAX_NAME_CHARACTERS = 100
/**
 * Longer names are rejected unread, in UTF-16 units. A name of 100 characters has fewer, however its accents are
 * encoded.
 */
const MAX_GIVEN_NAME_LENGTH = 8 * MAX_NAME_CHARACTERS

const EMAIL = /^[^\s@]+@[^\s@]+$/
const MAX_EMAIL_CHARACTERS = 254
/** Longer input is rejected unread, in UTF-16 units, white space around it included. */
const MAX_GIVEN_EMAIL_LENGTH = 1_024

/** The roles of members, from the most powerful. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'member']

/**
 * A name as a person typed it, normalized to NFC and trimmed.
 *
 * @throws Refusal for an empty name, more than 100 characters, and control characters. `what` names it in the message,
 *   `field` is the form field.
 */
export function requireName(what: string, text: string, field = 'name'): string {
  const name = text.length > MAX_GIVEN_NAME_LENGTH ? '' : normalize(text, 'NFC').trim()
  if (name === '' || [...name].length > MAX_NAME_CHARACTERS)
    throw new Refusal(`${what} must have 1 to ${MAX_NAME_CHARACTERS} characters`, field)
  if (/\p{C}/u.test(name)) throw new Refusal(`${what} must have no control characters`, field)
  return name
}

/** An e-mail address as it is stored and compared: trimmed and in lower case. Empty if the text is too long for one. */
export function normalizeEmail(text: string): string {
  return text.length > MAX_GIVEN_EMAIL_LENGTH ? '' : text.trim().toLowerCase()
}

/**
 * A normalized e-mail address.
 *
 * @throws Refusal for text that is not an e-mail address.
 */
export function requireEmail(text: string): string {
  const email = normalizeEmail(text)
  if (!EMAIL.test(email) || email.length > MAX_EMAIL_CHARACTERS || /\p{C}/u.test(email))
    throw new Refusal(`'${text.slice(0, MAX_EMAIL_CHARACTERS).toWellFormed()}' is not an e-mail address`, 'email')
  return email
}

/**
 * A role as it was typed.
 *
 * @throws Refusal for another word.
 */
export function requireRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role === undefined) throw new Refusal(`unknown role '${text}'; known are ${ROLES.join(', ')}`, 'role')
  return role
}
