import { Refusal } from '../../errors.ts'
import { normalize } from '../../text/normalize.ts'

/** A visible character: neither white space, nor a control character, nor one that is drawn as nothing. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * Returns the text, which can be stored and given back unchanged.
 *
 * @throws Refusal whose message begins with `name` and which names the `field`, for text with an unpaired surrogate,
 *   with NUL, or without a visible character.
 */
export function requireText(name: string, text: string, field = name): string {
  if (!text.isWellFormed()) throw new Refusal(`${name} must be well-formed Unicode text`, field)
  if (text.includes('\0')) throw new Refusal(`${name} must not contain the character NUL`, field)
  if (!VISIBLE.test(text)) throw new Refusal(`${name} must not be empty`, field)
  return text
}

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/**
 * Times of years from 0 to 9999 have this length in UTC, such as 2027-01-31T12:00:00.000Z; others have a sign and six
 * digits.
 */
const UTC_LENGTH = 24

/**
 * Milliseconds since 1970 of an ISO 8601 date, or of a date and time with its zone.
 *
 * @throws Refusal whose message begins with `name`, for any other format, for a day that does not exist, and for a time
 *   that is of another year than 0 to 9999 in UTC, which could not be read again.
 */
export function readTime(name: string, text: string): number {
  const time = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  const exists = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (!exists || new Date(time).toISOString().length !== UTC_LENGTH)
    throw new Refusal(`${name} must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z`, name)
  return time
}

/**
 * Returns the expiry; both times are milliseconds since 1970.
 *
 * @throws Refusal for an expiry that has passed.
 */
export function requireFuture(expiresAt: number, now: number): number {
  if (expiresAt <= now) throw new Refusal('expires_at must be in the future', 'expires_at')
  return expiresAt
}

const MAX_ECHO_CHARACTERS = 512

/** Text that a caller sent, as an error message may repeat it: well-formed, at most 512 characters and an ellipsis. */
export function shorten(text: string): string {
  return (text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}…` : text).toWellFormed()
}

/**
 * Whether a text has more than `max` code points. They are counted only if the number of UTF-16 units does not decide.
 */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || [...text].length > max)
}

/**
 * Whether a text has more than `max` code points before or after normalization (NFKC). One that has them before is not
 * normalized.
 */
export const isTooLong = (text: string, max: number) =>
  isLongerThan(text, max) || isLongerThan(normalize(text, 'NFKC'), max)
