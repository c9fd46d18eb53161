import { Refusal } from '../errors.ts'

const LONGEST = 100

/** A name a person gave: 1 to 100 characters without control characters, blanks around it taken off. */
export function requireName(what: string, text: string): string {
  const name = text.normalize('NFC').trim()
  if (name === '' || [...name].length > LONGEST) throw new Refusal(`${what} must have 1 to ${LONGEST} characters`)
  if (/\p{C}/u.test(name)) throw new Refusal(`${what} must have no control characters`)
  return name
}
