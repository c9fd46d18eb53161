import type { RecordHead, StoredRecord } from '../../store/record.ts'
import { findStale } from '../records/freshness.ts'
import type { RankedRecord } from './rank.ts'
import type { SearchRequest } from './request.ts'

/**
 * A record of the answer. `score` is in (0, 1], or 0 for a verified record that was put before a contradicting last
 * match although no word found it. `ranked` is set if words found the record. `conflictsWith` has the ids of verified
 * records that it contradicts.
 */
export type Match = {
  record: RecordHead
  score: number
  stale: boolean
  ranked?: RankedRecord
  conflictsWith?: string[]
}

/** A match whose content was read. */
export type WholeMatch = Match & { record: StoredRecord }

/** The score of records that were not found by words: they were named, or listed. */
const GIVEN_SCORE = 1

/** Records that were named or listed, as matches in the same order. */
export async function toGivenMatches(
  { project, visible, now }: SearchRequest,
  records: RecordHead[],
): Promise<Match[]> {
  const stale = await findStale(project, visible, records, now)
  return records.map((record) => ({ record, score: GIVEN_SCORE, stale: stale.has(record.id) }))
}

/** Contents of 64 KiB take half a millisecond each to be read. */
const RECORDS_AT_A_TIME = 10

/** The matches with their contents, without those whose record was forgotten meanwhile. */
export async function readContents({ project, visible }: SearchRequest, matches: Match[]): Promise<WholeMatch[]> {
  const unread = matches.filter(({ record }) => !isWhole(record)).map(({ record }) => record.seq)
  const read: StoredRecord[] = []
  for (let at = 0; at < unread.length; at += RECORDS_AT_A_TIME) {
    read.push(...(await project.findRecordsBySeq(visible, unread.slice(at, at + RECORDS_AT_A_TIME))))
  }
  const contents = new Map(read.map((record) => [record.seq, record]))
  return matches.flatMap((match) => {
    const record = isWhole(match.record) ? match.record : contents.get(match.record.seq)
    return record === undefined ? [] : [{ ...match, record }]
  })
}

const isWhole = (record: RecordHead | StoredRecord): record is StoredRecord => 'content' in record
