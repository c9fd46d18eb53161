import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields } from '../../record.ts'
import { isSameSave, toContentHash, toSaveHash } from '../../save-hash.ts'
import type { Connection } from '../connection.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'

const OF_SAVE = 'from records indexed by records_by_save where save_hash = $hash and workspace_id = $workspaceId and forgotten_at is null'
const IS_CURRENT = "status in ('unverified', 'verified')"

const SAME = `select ${RECORD} ${OF_SAVE} and ${IS_CURRENT} and (expires_at is null or expires_at > $now) order by seq desc limit 1`

const OUTDATED = `select ${RECORD} from records where seq = (select max(seq) from (
  select max(seq) as seq ${OF_SAVE} and status = 'superseded' and seq < $beforeSeq
  union all select max(seq) ${OF_SAVE} and ${IS_CURRENT} and expires_at <= $now and seq < $beforeSeq))`

type Params = { hash: number; workspaceId: number; now: number }

/** The verbs that find a repeated save. */
export function createSameReads(client: Connection): Pick<ProjectWrites, 'findSame' | 'findOutdated'> {
  const same = client.statement<RecordRow, [Params]>(SAME)
  const outdated = client.statement<RecordRow, [Params & { beforeSeq: number }]>(OUTDATED)
  const toParams = (saved: SavedFields, now: number): Params => ({
    hash: toSaveHash(saved, toContentHash(saved.content)),
    workspaceId: saved.workspaceId,
    now,
  })
  return {
    findSame: async (saved, now) => toSame(saved, same.get(toParams(saved, now))),
    findOutdated: async (saved, now, beforeSeq) => toSame(saved, outdated.get({ ...toParams(saved, now), beforeSeq })),
  }
}

function toSame(saved: SavedFields, row: RecordRow | null): RecordHead | undefined {
  if (row === null) return undefined
  const { content, ...head } = toRecord(row)
  return isSameSave(saved, { ...head, content }) ? head : undefined
}
