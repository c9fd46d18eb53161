/** A past hash of a source, and when it was first saved under it, in milliseconds since 1970; null if unknown. */
export type PastHash = { hash: string; at: number | null }

/** What is stored of a source for one audience: its hash, and its most recent hashes, that one included. */
export type SourceHashes = { hash: string; hashes: PastHash[] }

/** Maximum number of hashes kept of a source for one audience. */
const MAX_HASHES = 10

/** The hashes of a source after a save; `before` is undefined at its first one. */
export function withHash(before: SourceHashes | undefined, next: PastHash): PastHash[] {
  if (before === undefined) return [next]
  return before.hash === next.hash ? before.hashes : [...before.hashes, next].slice(-MAX_HASHES)
}

/** The hashes of a source by saves of several audiences, in chronological order, without repetitions. */
export function mergeHashes(ofAudiences: Pick<SourceHashes, 'hashes'>[]): PastHash[] {
  const all = ofAudiences.flatMap(({ hashes }) => hashes)
  const sorted = all.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return sorted.filter(({ hash }, at) => hash !== sorted[at - 1]?.hash)
}
