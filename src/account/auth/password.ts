import { Refusal } from '../../errors.ts'
import { createGate } from '../../semaphore.ts'
import type { ControlReads } from '../../store/control.ts'
import { normalize } from '../../text/normalize.ts'

const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 200
/**
 * Longer input is rejected unread, in UTF-16 units. A password of 200 characters has fewer, however its accents are
 * encoded.
 */
const MAX_GIVEN_LENGTH = 8 * MAX_PASSWORD_CHARACTERS

/** argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, two passes. */
const HASHING = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The encoded argon2id hash of a member's password. */
export async function findPassword(
  { find }: Pick<ControlReads, 'find'>,
  memberId: string,
): Promise<string | undefined> {
  return (await find('passwords', { memberId }))?.hash
}

/** Hashes and checks passwords, one at a time: each takes 19 MiB and about 30 ms of a core. */
export type PasswordHasher = {
  /**
   * The encoded argon2id hash of a new password.
   *
   * @throws Refusal for one of fewer than 12 or more than 200 characters. Any characters will do.
   */
  hash: (password: string) => Promise<string>
  /**
   * Whether a password matches a hash. Without a hash it is false, after the same time, so that the answer does not
   * reveal who has a password.
   */
  verify: (password: string, hash: string | undefined) => Promise<boolean>
}

export function createPasswordHasher(): PasswordHasher {
  const inTurn = createGate(1)
  let decoy: Promise<string> | undefined

  async function hash(given: string): Promise<string> {
    const password = requirePassword(given)
    return inTurn(() => Bun.password.hash(password, HASHING))
  }

  async function verify(given: string, known: string | undefined): Promise<boolean> {
    if (given.length > MAX_GIVEN_LENGTH) return false
    const password = normalize(given, 'NFC')
    if (password === '' || password.length > MAX_PASSWORD_CHARACTERS * 2) return false
    decoy ??= hash('the password of nobody')
    const compared = known ?? (await decoy)
    const matches = await inTurn(() => Bun.password.verify(password, compared))
    return matches && known !== undefined
  }

  return { hash, verify }
}

function requirePassword(given: string): string {
  const password = given.length > MAX_GIVEN_LENGTH ? '' : normalize(given, 'NFC')
  const length = [...password].length
  if (length < MIN_PASSWORD_CHARACTERS || length > MAX_PASSWORD_CHARACTERS)
    throw new Refusal(
      `a password must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`,
      'password',
    )
  return password
}
