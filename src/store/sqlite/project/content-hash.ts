/** Room for a digest while its beginning is read. */
const digest = Buffer.alloc(32)

/** First 52 bits of the content's SHA-256, as a whole number that both SQLite and JavaScript hold exactly. */
export function toContentHash(content: string): number {
  Bun.SHA256.hash(content, digest)
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4)
}
