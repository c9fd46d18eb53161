import type { ProjectReads } from '../../../store/project.ts'
import type { Source, StoredRecord, Visible } from '../../../store/record.ts'
import { toComparableKey } from '../../../text/comparable.ts'
import type { IndexHints, SearchIndex } from './search-index.ts'

/** Asks for the hash of each source once, for those who see what is searched. */
export function keepHashes(
  { findCurrentHashes }: Pick<ProjectReads, 'findCurrentHashes'>,
  searched: Visible,
): SearchIndex['findCurrentHashes'] {
  const known = new Map<string, string | undefined>()
  const keyOf = ({ workspaceId, sourceId }: Source) => `${workspaceId} ${sourceId}`
  return async (visible, sources) => {
    // Whoever searches one scope sees others too, in which a source may have another hash.
    if (visible?.length !== searched?.length) return findCurrentHashes(visible, sources)
    const missing = sources.filter((source) => !known.has(keyOf(source)))
    const found = missing.length === 0 ? [] : await findCurrentHashes(visible, missing)
    for (const [at, source] of missing.entries()) known.set(keyOf(source), found[at])
    return sources.map((source) => known.get(keyOf(source)))
  }
}

/** What follows the last slash of a source that is not at its end. */
const lastPart = (source: string): string =>
  source
    .toLowerCase()
    .split('/')
    .findLast((part) => part !== '') ?? ''

/** Tells without the store which names no record has, and which facts have one record alone: most of both. */
export function toNameHints(records: StoredRecord[]): Pick<IndexHints, 'mayName' | 'mayDispute'> {
  const [names, disputed] = [new Set<string>(), new Set<string>()]
  const keys = new Set<string>()
  for (const { id, factKey, sourceId } of records) {
    const key = toComparableKey(factKey)
    if (keys.has(key)) disputed.add(key)
    keys.add(key)
    names.add(id)
    if (sourceId !== null) names.add(lastPart(sourceId))
  }
  return {
    mayName: (named) =>
      [named.toLowerCase(), lastPart(named)].some((name) => names.has(name)) || keys.has(toComparableKey(named)),
    mayDispute: ({ factKey }) => disputed.has(toComparableKey(factKey)),
  }
}
