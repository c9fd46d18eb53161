import { timingSafeEqual } from 'node:crypto'
import type { Random } from '../clock.ts'

/** A new secret of 256 random bits, in base64url. */
export function makeRandomSecret(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/**
 * SHA-256 of a text in UTF-8, or of bytes, in lower-case hexadecimal. Made in one step, which leaves no hasher object
 * to be collected.
 */
export function sha256Hex(data: string | Uint8Array): string {
  return Bun.SHA256.hash(data, 'hex')
}

/** Compares two texts in a time that does not depend on how much of them is equal. */
export function isSameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
