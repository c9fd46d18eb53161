import type { Fact, RecordHead, StoredRecord } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { RecordWrites } from '../../record-writes.ts'
import { isSameSave, toContentHash, toKeyHash, toSaveHash } from '../../save-hash.ts'
import { MAX_SEQ, type ProjectSql, unionOf } from './sql.ts'

type RivalReads = Pick<RecordReads, 'listRivals' | 'countRivals' | 'findLater' | 'listVersions'>
type SameReads = Pick<RecordWrites, 'findSame'>

const OF_FACT = 'workspace_id = $workspaceId and key_hash = $keyHash and audience = $audience'
const BY_RANK = 'order by ranked_at desc, seq desc'

const toFactParams = ({ workspaceId, factKey, audience }: Omit<Fact, 'content'>) => ({
  workspaceId,
  keyHash: toKeyHash(factKey),
  audience,
})
const toRivalParams = (fact: Fact) => ({ ...toFactParams(fact), contentHash: toContentHash(fact.content) })

/** Rivals of a record, and versions of a fact. */
export function createRivals(sql: ProjectSql): RivalReads {
  const { all, own, by, joinRecord, record } = sql
  /** Records of a fact that are neither forgotten nor superseded. */
  const ofStatus = `from records ${by('records_by_key')} where ${own()} and ${OF_FACT} and forgotten_at is null and status`
  /** Superseded ones of a given key, in order of rank. */
  const superseded = `from records ${by('records_superseded')} where ${own()} and ${OF_FACT}
    and status = 'superseded' and fact_key_given and forgotten_at is null`
  const forgotten = `from records ${by('records_forgotten_by_key')} where ${own()} and ${OF_FACT} and fact_key_given and forgotten_at is not null`

  /**
   * Another content has another hash, which is two ranges of the index: however many records have the same content,
   * none of them is examined.
   */
  const rivals = (fields: string, condition: string): string =>
    `${unionOf(
      ['<', '>'].map(
        (side) => `select ${fields} ${ofStatus} = $status and content_hash ${side} $contentHash and ${condition}
          order by content_hash, save_hash, seq limit $limit`,
      ),
    )} limit $limit`

  const current = ['unverified', 'verified'].map((status) => `${ofStatus} = '${status}' and fact_key_given`)
  const given = [...current, superseded]
  const later = (from: string) => `select seq as number, ranked_at ${from} and content_hash <> $contentHash
    and (ranked_at, seq) > ($at, $after) ${BY_RANK} limit 1`
  const toLatest = (
    lists: string[],
  ) => `select ${record.head} from (${unionOf(lists)}) as latest ${joinRecord('latest.number')}
    order by latest.ranked_at desc, latest.number desc limit 1`
  const versions = unionOf([
    ...given.map((from) => `select seq as number ${from} ${BY_RANK} limit $limit`),
    `select seq as number ${forgotten} order by forgotten_at desc, seq desc limit $limit`,
  ])

  return {
    listRivals: (fact, { status, before, limit }) =>
      all(
        rivals(record.head, before === undefined ? 'true' : '(ranked_at, seq) < ($at, $before)'),
        { ...toRivalParams(fact), status, limit, ...(before !== undefined && { at: before.at, before: before.seq }) },
        record.columns,
      ),
    countRivals: async (fact, status, most) => {
      const counted = `select cast(count(*) as integer) as n from (${rivals('1 as one', 'true')}) as rival`
      return (await all<{ n: number }>(counted, { ...toRivalParams(fact), status, limit: most }))[0]?.n ?? 0
    },
    findLater: async (fact, { after, isVerified }) => {
      const wanted = isVerified ? given.map((from) => `${from} and verified_at is not null`) : given
      const params = { ...toRivalParams(fact), at: after.at, after: after.seq }
      return (await all<RecordHead>(toLatest(wanted.map(later)), params, record.columns))[0]
    },
    listVersions: async (fact, limit) => {
      const params = { ...toFactParams(fact), limit }
      const found = await all<StoredRecord>(
        `select ${record.whole} from (${versions}) as named ${joinRecord('named.number')}`,
        params,
        record.columns,
      )
      const rankOf = ({ verifiedAt, createdAt }: StoredRecord) => verifiedAt ?? createdAt
      const live = found
        .filter(({ forgottenAt }) => forgottenAt === null)
        .sort((a, b) => rankOf(b) - rankOf(a) || b.seq - a.seq)
      return [...live.slice(0, limit), ...found.filter(({ forgottenAt }) => forgottenAt !== null)]
    },
  }
}

/** Finds a repeated save. */
export function createSameReads({ all, own, by, record }: ProjectSql): SameReads {
  const ofSave = (status: string) => `select ${record.whole} from records ${by('records_by_key')}
    where ${own()} and ${OF_FACT} and forgotten_at is null and status = '${status}' and content_hash = $contentHash and save_hash = $saveHash`
  const newest = (lists: string[]) =>
    `${unionOf(lists.map((list) => `${list} order by seq desc limit 1`))} order by seq desc limit 1`
  const current = ['unverified', 'verified'].map(ofSave)
  const same = newest(current.map((list) => `${list} and (expires_at is null or expires_at > $now)`))
  const outdated = newest([
    `${ofSave('superseded')} and seq < $before`,
    ...current.map((list) => `${list} and expires_at <= $now and seq < $before`),
  ])

  return {
    findSame: async (saved, now, { outdatedBefore } = {}) => {
      const fact = toRivalParams(saved)
      const params = { ...fact, saveHash: toSaveHash(saved, fact.contentHash), now }
      const [text, before] =
        outdatedBefore === undefined ? [same, {}] : [outdated, { before: Math.min(outdatedBefore, MAX_SEQ) }]
      const [found] = await all<StoredRecord>(text, { ...params, ...before }, record.columns)
      if (found === undefined || !isSameSave(saved, found)) return undefined
      const { content: _content, ...head } = found
      return head
    },
  }
}
