import type { Random } from './means.ts'

/** 256 random bits that nobody guesses, in base64url. */
export function makeSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}
