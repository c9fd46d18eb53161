import { Refusal } from '../../errors.ts'
import { normalize } from '../../text/normalize.ts'

const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 200
/** UTF-16 units that are looked at: every password of 200 characters has fewer, however its accents are written. */
const MAX_GIVEN_LENGTH = 8 * MAX_PASSWORD_CHARACTERS

/** argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes. */
const HASHING = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** Each check takes 19 MiB and some 30 ms of a core: those who come together wait for each other. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
  const turn = last.then(act)
  last = turn.catch(() => {})
  return turn
}

/** A password as it is kept. Throws a Refusal for one that is too short or too long; any characters will do. */
export function hashPassword(given: string): Promise<string> {
  const password = given.length > MAX_GIVEN_LENGTH ? '' : normalize(given, 'NFC')
  const length = [...password].length
  if (length < MIN_PASSWORD_CHARACTERS || length > MAX_PASSWORD_CHARACTERS)
    throw new Refusal(`a password must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`)
  return inTurn(() => Bun.password.hash(password, HASHING))
}

/** Whether this is the password behind a hash. Takes the same time where there is no hash, so that nobody learns who has one. */
export async function isPassword(given: string, hash: string | undefined): Promise<boolean> {
  if (given.length > MAX_GIVEN_LENGTH) return false
  const password = normalize(given, 'NFC')
  if (password === '' || password.length > MAX_PASSWORD_CHARACTERS * 2) return false
  nobody ??= hashPassword('the password of nobody')
  const known = hash ?? (await nobody)
  const matches = await inTurn(() => Bun.password.verify(password, known))
  return matches && hash !== undefined
}

let nobody: Promise<string> | undefined
