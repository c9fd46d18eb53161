import { toComparableContent } from '../text/comparable.ts'

/** Room for a digest while its beginning is read. */
const digest = Buffer.alloc(32)

/** First 52 bits of the SHA-256 of the content as it is compared, as a whole number that databases and JavaScript hold exactly. */
export function toContentHash(content: string): number {
  return hash(toComparableContent(content))
}

/**
 * The hashes under which a record that says the same may be stored, each once, that of `toContentHash` first. Until files had the column `folded_key`, the
 * content was hashed as it was given, mostly with its full stop.
 */
export function toContentHashes(content: string, comparable = toComparableContent(content)): number[] {
  return [...new Set([comparable, `${comparable}.`, content])].map(hash)
}

function hash(text: string): number {
  Bun.SHA256.hash(text, digest)
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4)
}
