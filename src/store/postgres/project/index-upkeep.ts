import { and, eq, sql } from 'drizzle-orm'
import type { AudienceStats, SearchReads, SearchWrites } from '../../search.ts'
import { audienceStats, languages, projectState } from '../schema/project.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import type { ProjectState } from './state.ts'

/** State and statistics of an index. */
export function createIndexReads(scope: Scope): Pick<SearchReads, 'readAudienceStats' | 'readIndexing' | 'checkIndex'> {
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
    checkIndex: () =>
      run(async ({ db }) => {
        const own = sql`project_id = ${projectId}`
        const indexed = sql`select seq from records where ${own} and forgotten_at is null`
        const stored = sql`select workspace_id, audience, records, length from audience_stats where ${own} and records > 0`
        const computed = sql`select workspace_id, audience, count(*)::integer, sum(length)::bigint from records
          where ${own} and forgotten_at is null group by 1, 2`
        const counts = sql`select audience, term, count(*)::integer from postings where ${own} group by 1, 2`
        const count = async (query: typeof own) => {
          const [row] = await db.execute<{ n: number }>(sql`select count(*)::integer as n from (${query}) as found`)
          return row?.n ?? 0
        }
        const differences = async (a: typeof own, b: typeof own) =>
          (await count(sql`${a} except ${b}`)) + (await count(sql`${b} except ${a}`))
        return {
          records: await count(indexed),
          missing: await count(sql`${indexed} and terms <> '' except select seq from postings where ${own}`),
          orphaned: await count(sql`select seq from postings where ${own} except ${indexed}`),
          miscounted: await differences(stored, computed),
          sound: (await differences(counts, sql`select audience, term, records from vocabulary where ${own} and records > 0`)) === 0,
        }
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
        await db.execute(sql`delete from postings where ${own} and not exists (select 1 from records
          where records.project_id = postings.project_id and records.seq = postings.seq and records.forgotten_at is null)`)
        await db.execute(sql`delete from vocabulary where ${own}`)
        await db.execute(sql`insert into vocabulary (project_id, audience, term, records)
          select project_id, audience, term, count(*) from postings where ${own} group by 1, 2, 3`)
        await db.execute(sql`delete from audience_stats where ${own}`)
        await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
          select project_id, workspace_id, audience, count(*), sum(length) from records where ${own} and forgotten_at is null group by 1, 2, 3`)
      }),
    clearLanguages: () => run(async ({ db }) => void (await db.delete(languages).where(isOf(languages, scope)))),
    saveIndexing: async (indexing) => void Object.assign(state(), indexing),
  }
}
