import type { Random } from '../clock.ts'

/** Characters of a key: `svc_`, 30 random ones, 6 of checksum. */
export const KEY_LENGTH = 40
const PREFIX = 'svc_'
const RANDOM_LENGTH = 30
const CHECK_LENGTH = 6
const SHOWN_LENGTH = 8
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new key: `svc_`, 30 random base62 characters (178 bits), and 6 of CRC-32 over what precedes. */
export function makeKey(random: Random): string {
  let body = PREFIX
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    // Bytes from 248 (the largest multiple of 62) on are skipped, since they would make some characters more frequent.
    for (const byte of random.bytes(RANDOM_LENGTH))
      if (byte < 248 && body.length < PREFIX.length + RANDOM_LENGTH) body += DIGITS[byte % 62]
  }
  return body + checksum(body)
}

/** Whether a text begins as keys do, so that it may be one, whole or in part. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** Whether a text has a key's form and checksum. A truncated or mistyped key is so refused without a look-up. */
export function isWholeKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return false
  let rest = Bun.hash.crc32(text.slice(0, -CHECK_LENGTH))
  for (let at = KEY_LENGTH - 1; at >= KEY_LENGTH - CHECK_LENGTH; at--) {
    if (text[at] !== DIGITS[rest % 62]) return false
    rest = Math.floor(rest / 62)
  }
  return true
}

/** The characters of a key that lists show: the first 8 after the prefix. */
export function shownOf(key: string): string {
  return key.slice(PREFIX.length, PREFIX.length + SHOWN_LENGTH)
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
