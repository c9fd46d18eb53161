/** The immutable fields of a record. */
type Unchanging = {
  id: string
  audience: string
  authorId: string
  content: string
  factKey: string
  sourceId: string | null
  createdAt: number
}

/** A CRC-32 over these fields, which detects damage except with a probability of 2^-32. */
export function toRowCheck({ id, audience, authorId, content, factKey, sourceId, createdAt }: Unchanging): number {
  return Bun.hash.crc32([id, audience, authorId, factKey, sourceId ?? '', createdAt, content].join('\0'))
}
