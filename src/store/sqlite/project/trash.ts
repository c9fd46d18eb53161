import type { TrashPlace } from '../../record-lists.ts'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'
import { REMOVED_WORKSPACES } from './workspaces.ts'

/** By index alone; which of the records are visible is looked up afterwards, for at most `examine` of them. */
const PLACES = `select seq, forgotten_at as forgottenAt from records indexed by records_by_forgotten
  where forgotten_at is not null and (forgotten_at, seq) < (?, ?) order by forgotten_at desc, seq desc limit ?`

const NAMED = `select ${RECORD} from (select key as place, value from json_each(?1)) as named cross join records on seq = named.value
  where forgotten_at is not null and (?2 is null or audience in (?2, ?3, ?4)) order by place`

const BEGINNING: TrashPlace = { seq: Number.MAX_SAFE_INTEGER, forgottenAt: Number.MAX_SAFE_INTEGER }

/** Records examined in one slice, unless asked otherwise: with the longest contents about 1 MB. */
const EXAMINED_ROWS = 16

/** Few records need review, and partial indexes find them. */
const TO_REVIEW = {
  forgotten: `select ${RECORD} from records indexed by records_to_review
    where needs_review = 1 and (?1 is null or audience in (?1, ?2, ?3)) order by forgotten_at desc, seq desc limit ?4`,
  marked: `select ${RECORD} from records indexed by records_marked
    where marked = 1 and forgotten_at is null and status <> 'superseded' and workspace_id not in ${REMOVED_WORKSPACES}
    and (?1 is null or audience in (?1, ?2, ?3)) order by seq desc limit ?4`,
}

/** Records that are forgotten and not erased. */
export function createTrashReads(client: Connection): Pick<RecordReads, 'listTrashSlice' | 'listToReview'> {
  const toReview = {
    forgotten: client.statement<RecordRow, [...VisibleParams, limit: number]>(TO_REVIEW.forgotten),
    marked: client.statement<RecordRow, [...VisibleParams, limit: number]>(TO_REVIEW.marked),
  }
  const places = client.statement<TrashPlace, [forgottenAt: number, seq: number, examine: number]>(PLACES)
  const named = client.statement<RecordRow, [seqs: string, ...VisibleParams]>(NAMED)
  return {
    listToReview: async (visible, kind, limit) => toReview[kind].all(...toVisibleList(visible), limit).map(toRecord),
    listTrashSlice: async (visible, { before = BEGINNING, examine = EXAMINED_ROWS }) => {
      const found = places.all(before.forgottenAt, before.seq, examine)
      const rows = named.all(JSON.stringify(found.map(({ seq }) => seq)), ...toVisibleList(visible))
      return { records: rows.map(toRecord), next: found.length < examine ? undefined : found.at(-1) }
    },
  }
}

const PURGE = 'delete from records where seq in (select seq from records where forgotten_at < ? limit ?)'

export function createTrashWrites(client: Connection, noteRemoval: () => void): Pick<RecordWrites, 'purgeForgotten'> {
  const purge = client.statement<unknown, [before: number, limit: number]>(PURGE)
  return {
    purgeForgotten: async (before, limit) => {
      const { changes } = purge.run(before, limit)
      if (changes > 0) {
        noteRemoval()
        client.run('update usage set to_scrub = 1')
      }
      return changes
    },
  }
}
