import { and, desc, eq, gt, inArray, isNull, lt, lte, or, type SQL } from 'drizzle-orm'
import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields } from '../../record.ts'
import { isSameSave, toContentHash, toSaveHash } from '../../save-hash.ts'
import { records } from '../schema/project.ts'
import { RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

const isCurrent = inArray(records.status, ['unverified', 'verified'])

/** The verbs that find a repeated save. */
export function createSameReads(scope: Scope): Pick<ProjectWrites, 'findSame' | 'findOutdated'> {
  /** The newest with the same fields that passes a condition. */
  async function find(saved: SavedFields, condition: SQL | undefined): Promise<RecordHead | undefined> {
    const hash = toSaveHash(saved, toContentHash(saved.content))
    const isOfSave = and(eq(records.saveHash, hash), eq(records.workspaceId, saved.workspaceId), isNull(records.forgottenAt))
    const [row] = await scope.run(({ db }) =>
      db
        .select(RECORD)
        .from(records)
        .where(and(isOf(records, scope), isOfSave, condition))
        .orderBy(desc(records.seq))
        .limit(1),
    )
    if (row === undefined || !isSameSave(saved, row)) return undefined
    const { content: _content, ...head } = row
    return head
  }
  return {
    findSame: (saved, now) => find(saved, and(isCurrent, or(isNull(records.expiresAt), gt(records.expiresAt, now)))),
    findOutdated: (saved, now, beforeSeq) =>
      find(saved, and(or(eq(records.status, 'superseded'), lte(records.expiresAt, now)), lt(records.seq, beforeSeq))),
  }
}
