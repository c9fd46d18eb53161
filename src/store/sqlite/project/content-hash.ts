/** First 52 bits of the content's SHA-256, as the whole number SQLite keeps and JavaScript holds exactly. */
export function toContentHash(content: string): number {
  return Number.parseInt(new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 13), 16)
}
