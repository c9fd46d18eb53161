import { and, eq, sql } from 'drizzle-orm'
import type { AudienceStats, SearchReads, SearchWrites } from '../../../search.ts'
import { audienceStats, languages, projectState } from '../../schema/project.ts'
import { isOf, isVisible, type Scope } from '../scope.ts'
import type { ProjectState } from '../state.ts'
import { FULL_BLOCK_RECORDS } from './packed.ts'

/** State and statistics of an index. */
export function createIndexReads(scope: Scope): Pick<SearchReads, 'readAudienceStats' | 'readIndexing'> {
  const { run, projectId } = scope
  return {
    readAudienceStats: (visible, workspaceId) =>
      run(async ({ db }) => {
        const { records, length } = audienceStats
        const [row] = await db
          .select({ records: sql<number>`coalesce(sum(${records}), 0)::integer`, length: sql<number>`coalesce(sum(${length}), 0)::float8` })
          .from(audienceStats)
          .where(
            and(
              isOf(audienceStats, scope),
              isVisible(audienceStats.audience, visible),
              workspaceId === undefined ? undefined : eq(audienceStats.workspaceId, workspaceId),
            ),
          )
        return (row as AudienceStats | undefined) ?? { records: 0, length: 0 }
      }),
    readIndexing: () =>
      run(async ({ db }) => {
        const { rules, target, reached } = projectState
        const [row] = await db.select({ rules, target, reached }).from(projectState).where(eq(projectState.projectId, projectId))
        return row === undefined || row.rules === null
          ? undefined
          : { rules: row.rules, target: row.target ?? 0, reached: row.reached ?? 0 }
      }),
  }
}

/** Repair and rebuilding of an index; only inside a write. */
export function createIndexUpkeep(
  scope: Scope,
  state: () => ProjectState,
): Pick<SearchWrites, 'sweepIndex' | 'clearLanguages' | 'saveIndexing'> {
  const { run, projectId } = scope
  return {
    sweepIndex: () =>
      run(async ({ db }) => {
        const own = sql`project_id = ${projectId}`
        await db.execute(sql`delete from posting_lists where ${own}`)
        await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, records, seqs)
          select project_id, audience, term, workspace_id, min(seq), count(*), string_agg(int4send(seq), ''::bytea order by seq)
          from (select distinct project_id, audience, term, workspace_id, seq,
              (dense_rank() over (partition by audience, term, workspace_id order by seq) - 1) / ${FULL_BLOCK_RECORDS}::integer as part
            from records cross join unnest(string_to_array(terms, ' ')) as term where ${own} and forgotten_at is null and term <> '') as pairs
          group by project_id, audience, term, workspace_id, part`)
        await db.execute(sql`delete from audience_stats where ${own}`)
        await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
          select project_id, workspace_id, audience, count(*), sum(length) from records where ${own} and forgotten_at is null group by 1, 2, 3`)
      }),
    clearLanguages: () => run(async ({ db }) => void (await db.delete(languages).where(isOf(languages, scope)))),
    saveIndexing: async (indexing) => void Object.assign(state(), indexing),
  }
}
