import type { Random } from '../clock.ts'

/** 256 random bits that nobody guesses, in base64url. */
export function makeRandomSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}
