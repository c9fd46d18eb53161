import { and, desc, eq, gt, isNull, ne, or } from 'drizzle-orm'
import { toComparableContent, toComparableKey } from '../../../text/comparable.ts'
import { toContentHash } from '../../content-hash.ts'
import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields } from '../../record.ts'
import { records } from '../schema/project.ts'
import { RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** The verbs that find a repeated save: an index leads to records of the same content, and what they say is compared. */
export function createSameReads(scope: Scope): Pick<ProjectWrites, 'findSame' | 'listSame'> {
  async function list(saved: SavedFields, condition: ReturnType<typeof and>, limit?: number): Promise<RecordHead[]> {
    const { workspaceId, audience, authorId, sourceId, content, factKey } = saved
    const rows = await scope.run(({ db }) => {
      const found = db
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
      return limit === undefined ? found : found.limit(limit)
    })
    const comparable = toComparableContent(content)
    return rows.filter((row) => toComparableContent(row.content) === comparable).map(({ content: _content, ...head }) => head)
  }
  return {
    findSame: async (saved, now) => {
      const isLive = and(ne(records.status, 'superseded'), or(isNull(records.expiresAt), gt(records.expiresAt, now)))
      return (await list(saved, isLive, 1))[0]
    },
    listSame: (saved) => list(saved, undefined),
  }
}
