import { and, desc, eq, gt, isNull, lt, lte, ne, or } from 'drizzle-orm'
import { toComparableContent, toComparableKey } from '../../../text/comparable.ts'
import { toContentHash } from '../../content-hash.ts'
import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields } from '../../record.ts'
import { records } from '../schema/project.ts'
import { RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** The verbs that find a repeated save: an index leads to records of the same content, and what they say is compared. */
export function createSameReads(scope: Scope): Pick<ProjectWrites, 'findSame' | 'findOutdated'> {
  /** The newest with the same fields that passes a condition. */
  async function find(saved: SavedFields, condition: ReturnType<typeof and>): Promise<RecordHead | undefined> {
    const { workspaceId, audience, authorId, sourceId, content, factKey } = saved
    const [row] = await scope.run(({ db }) =>
      db
        .select(RECORD)
        .from(records)
        .where(
          and(
            isOf(records, scope),
            eq(records.contentHash, toContentHash(content)),
            eq(records.workspaceId, workspaceId),
            eq(records.audience, audience),
            eq(records.comparedKey, toComparableKey(factKey)),
            sourceId === null ? and(isNull(records.sourceId), eq(records.authorId, authorId)) : eq(records.sourceId, sourceId),
            isNull(records.forgottenAt),
            condition,
          ),
        )
        .orderBy(desc(records.seq))
        .limit(1),
    )
    if (row === undefined || toComparableContent(row.content) !== toComparableContent(content)) return undefined
    const { content: _content, ...head } = row
    return head
  }
  return {
    findSame: (saved, now) => find(saved, and(ne(records.status, 'superseded'), or(isNull(records.expiresAt), gt(records.expiresAt, now)))),
    findOutdated: (saved, now, beforeSeq) =>
      find(saved, and(or(eq(records.status, 'superseded'), lte(records.expiresAt, now)), lt(records.seq, beforeSeq))),
  }
}
