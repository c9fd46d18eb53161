/** A hash that a source had, and when it was first saved under it, in milliseconds since 1970; null if that is not known. */
export type PastHash = { hash: string; at: number | null }

/** What is kept of a source for saves of one audience: its hash, and the last ones it had, that one included. */
export type SourceHashes = { hash: string; hashes: PastHash[] }

/** Hashes that are kept of a source for saves of one audience. */
const MAX_HASHES = 10

/** The hashes of a source after a save; `before` is undefined at its first one. */
export function withHash(before: SourceHashes | undefined, next: PastHash): PastHash[] {
  if (before === undefined) return [next]
  if (before.hash === next.hash) return before.hashes
  // Sources from before hashes were kept begin with the one that they had.
  const known = before.hashes.length > 0 ? before.hashes : [{ hash: before.hash, at: null }]
  return [...known, next].slice(-MAX_HASHES)
}

/** The hashes of a source as saves of several audiences left them, in the order of time, without repetitions. */
export function mergeHashes(ofAudiences: SourceHashes[]): PastHash[] {
  const all = ofAudiences.flatMap(({ hash, hashes }) => (hashes.length > 0 ? hashes : [{ hash, at: null }]))
  const sorted = all.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return sorted.filter(({ hash }, at) => hash !== sorted[at - 1]?.hash)
}
