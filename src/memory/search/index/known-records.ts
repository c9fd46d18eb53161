import type { ProjectReads } from '../../../store/project.ts'
import type { Source, StoredRecord, Visible } from '../../../store/record.ts'
import type { SmallRecord } from '../../../store/search.ts'
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

/** A record that the engine read whole. */
export const isWhole = (record: SmallRecord): record is StoredRecord => 'status' in record

/**
 * Records of an index that the engine read whole are kept with it: of a file with 60 of them, a search takes a tenth
 * less time. Others are read when they are found.
 */
export function keepRecords(
  { findRecordsBySeq }: Pick<ProjectReads, 'findRecordsBySeq'>,
  searched: Visible,
  records: SmallRecord[],
): SearchIndex['readRecords'] {
  if (!records.every(isWhole)) return (seqs) => findRecordsBySeq(searched, seqs)
  const kept = new Map(records.map((record) => [record.seq, record]))
  return async (seqs) => seqs.flatMap((seq) => kept.get(seq) ?? [])
}

/** What follows the last slash of a source that is not at its end. */
const lastPart = (source: string): string =>
  source
    .toLowerCase()
    .split('/')
    .findLast((part) => part !== '') ?? ''

/** A name among others of a project, in four bytes. Two of them are rarely the same. */
const toMark = (name: string): number => Bun.hash.crc32(name)

/** Tells without the store which names no record has, and which facts have one record alone: most of both. */
export function toNameHints(records: SmallRecord[]): Pick<IndexHints, 'mayName' | 'mayDispute'> {
  const names = records.flatMap(({ id, sourceId }) => (sourceId === null ? [id] : [id, lastPart(sourceId)]))
  const nameMarks = Uint32Array.from(new Set(names.map(toMark)))
  const keyMarks = Uint32Array.from(records, ({ factKey }) => toMark(toComparableKey(factKey))).sort()
  const disputed = keyMarks.filter((mark, at) => mark === keyMarks[at - 1])
  return {
    mayName: (named) =>
      [named.toLowerCase(), lastPart(named)].some((name) => nameMarks.includes(toMark(name))) ||
      keyMarks.includes(toMark(toComparableKey(named))),
    mayDispute: ({ factKey }) => disputed.includes(toMark(toComparableKey(factKey))),
  }
}
