/** The fields of a record that are never changed. */
type Unchanging = {
  id: string
  audience: string
  authorId: string
  content: string
  factKey: string
  sourceId: string | null
  createdAt: number
}

/** A CRC-32 over them: of texts that damage has made others, one in four thousand million has the same. */
export function toRowCheck({ id, audience, authorId, content, factKey, sourceId, createdAt }: Unchanging): number {
  return Bun.hash.crc32([id, audience, authorId, factKey, sourceId ?? '', createdAt, content].join('\0'))
}
