import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../account/means.ts'

/** 256 random bits that nobody guesses, in base64url. */
export function makeSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** Compares without telling by its duration how much was right. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
