import { toComparableContent } from '../text/comparable.ts'

/** Scratch memory for a digest. */
const digest = Buffer.alloc(32)

/** The first 52 bits of the SHA-256 of the content in comparable form, a number that databases and JavaScript represent exactly. */
export function toContentHash(content: string): number {
  return hash(toComparableContent(content))
}

/**
 * The distinct hashes under which an equal content may be stored, that of `toContentHash` first. Before files had the column `folded_key`, the content was
 * hashed as given, usually with its full stop.
 */
export function toContentHashes(content: string, comparable = toComparableContent(content)): number[] {
  return [...new Set([comparable, `${comparable}.`, content])].map(hash)
}

function hash(text: string): number {
  Bun.SHA256.hash(text, digest)
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4)
}
