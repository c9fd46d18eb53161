import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { DamagedFile } from '../../../errors.ts'
import type { Visible } from '../../record.ts'
import type { Selection } from '../../record-lists.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { readInBatches } from '../batches.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'
import { CHECKED, HEAD, type HeadRow, RECORD, type RecordRow, toHead, toRecord, toRecordOf } from './record-row.ts'
import { toRowCheck } from './row-check.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

type Verbs = Pick<
  RecordReads,
  'findRecord' | 'findHead' | 'findRecordsBySeq' | 'findHeadsBySeq' | 'listRecords' | 'listIds' | 'listSourceSlice'
>

const BY_ID = 'from records where id = ?1 and (?2 is null or audience in (?2, ?3, ?4))'

const BY_SEQ = `from (select value from json_each(?1)) as named cross join records on seq = named.value
  where (?2 is null or audience in (?2, ?3, ?4)) and forgotten_at is null`

const BY_SOURCE = `select audience as of, seq as named from records indexed by records_by_source
  where workspace_id = ?1 and source_id = ?2 and source_id is not null and forgotten_at is null`

/**
 * The rows are selected from the index first, because skipping rows with long contents takes time: those of one audience, then those of the further ones, since
 * SQLite would not use the index for a comparison of audience and number at once.
 */
const OF_SOURCE = `select ${HEAD} from (select * from (
    select * from (${BY_SOURCE} and audience = ?3 and seq > ?4 order by seq limit ?5)
    union all select * from (${BY_SOURCE} and audience > ?3 order by audience, seq limit ?5)) limit ?5
  ) cross join records on seq = named order by of, named`

/** Rows examined in one slice by default, which takes about 2 ms with the longest contents. */
const EXAMINED_ROWS = 16
/** Rows read at once without their contents; some columns are behind these, which takes about 30 µs for each of the longest. */
const EXAMINED_HEADS = 128

/** Records by id, by number and in lists. */
export function createRecords(client: Connection, db: BunSQLiteDatabase): Verbs {
  const byId = client.statement<RecordRow, [id: string, ...VisibleParams]>(`select ${RECORD} ${BY_ID}`)
  const headById = client.statement<HeadRow, [id: string, ...VisibleParams]>(`select ${HEAD} ${BY_ID}`)
  const bySeq = client.statement<RecordRow, [seqs: string, ...VisibleParams]>(`select ${RECORD} ${BY_SEQ}`)
  const headsBySeq = client.statement<HeadRow, [seqs: string, ...VisibleParams]>(`select ${HEAD} ${BY_SEQ}`)
  const ofSource = client.statement<HeadRow, [workspaceId: number, sourceId: string, audience: string, seq: number, examine: number]>(
    OF_SOURCE,
  )
  const list = (condition: SQL | undefined, order: SQL[], limit = -1) =>
    db
      .select(CHECKED)
      .from(records)
      .where(condition)
      .orderBy(...order)
      .limit(limit)
      .all()
  const listSelected = (selection: Selection) =>
    list(toCondition(selection), [toOrder(selection)], selection.limit).map((row) => {
      if (selection.isChecked && row.rowCheck !== toRowCheck(row))
        throw new DamagedFile(`${client.filename} is damaged: record ${row.id} is not as it was saved`)
      return toRecordOf(row)
    })
  return {
    findRecord: async (visible, id, options) => {
      const found = byId.get(id, ...toVisibleList(visible))
      return found !== null && (found.forgottenAt === null || options?.forgotten) ? toRecord(found) : undefined
    },
    findHead: async (visible, id, options) => {
      const found = headById.get(id, ...toVisibleList(visible))
      return found !== null && (found.forgottenAt === null || options?.forgotten) ? toHead(found) : undefined
    },
    findRecordsBySeq: (visible, seqs) =>
      readInBatches(seqs, EXAMINED_ROWS, (batch) => bySeq.all(JSON.stringify(batch), ...toVisibleList(visible)).map(toRecord)),
    findHeadsBySeq: (visible, seqs) =>
      readInBatches(seqs, EXAMINED_HEADS, (batch) => headsBySeq.all(JSON.stringify(batch), ...toVisibleList(visible)).map(toHead)),
    listRecords: async (selection) => listSelected(selection),
    listIds: async (selection) =>
      db
        .select({ id: records.id })
        .from(records)
        .where(toCondition(selection))
        .orderBy(toOrder(selection))
        .limit(selection.limit ?? -1)
        .all()
        .map(({ id }) => id),
    listSourceSlice: async ({ visible, workspaceId, sourceId, after = { audience: '', seq: 0 }, examine = EXAMINED_ROWS }) => {
      const rows = ofSource.all(workspaceId, sourceId, after.audience, after.seq, examine)
      const found = rows.filter(({ audience }) => visible?.includes(audience) ?? true)
      return { heads: found.map(toHead), next: rows.length < examine ? undefined : rows.at(-1) }
    },
  }
}

function toOrder({ newestFirst }: Selection): SQL {
  return newestFirst ? desc(records.seq) : asc(records.seq)
}

function toCondition({ visible, workspaceId, sourceId, status, forgotten, afterSeq, beforeSeq }: Selection) {
  const isSelective = visible?.includes('*') === false || (status !== undefined && status !== 'unverified')
  return and(
    isAmong(visible),
    forgotten ? isNotNull(records.forgottenAt) : isNull(records.forgottenAt),
    workspaceId === undefined ? undefined : isInWorkspace(workspaceId, isSelective),
    sourceId === undefined ? undefined : eq(records.sourceId, sourceId),
    status === undefined ? undefined : hasStatus(status),
    afterSeq === undefined ? undefined : gt(records.seq, afterSeq),
    beforeSeq === undefined ? undefined : lt(records.seq, beforeSeq),
  )
}

/** Repeats the condition of the partial index `records_by_audience` if it holds, without which SQLite does not use the index. */
function isAmong(visible: Visible) {
  return visible && and(inArray(records.audience, visible), visible.includes('*') ? undefined : sql`audience <> '*'`)
}

/** Repeats the condition of the partial index `records_by_status` if it holds. */
function hasStatus(status: NonNullable<Selection['status']>) {
  return and(eq(records.status, status), status === 'unverified' ? undefined : sql`status <> 'unverified'`)
}

/** The plus sign keeps SQLite from using the index by workspace if another one is more selective. */
function isInWorkspace(workspaceId: number, isSelective: boolean) {
  return isSelective ? sql`+${records.workspaceId} = ${workspaceId}` : eq(records.workspaceId, workspaceId)
}
