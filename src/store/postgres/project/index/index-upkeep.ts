import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AudienceStats, SearchReads, SearchWrites } from '../../../search.ts'
import { audienceStats, languages, projectState } from '../../schema/project.ts'
import { isOf, isVisible, type Scope } from '../scope.ts'
import type { ProjectState } from '../state.ts'
import { FULL_BLOCK_RECORDS } from './packed.ts'

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
        const storedStats = sql`select workspace_id, audience, records, length from audience_stats where ${own} and records > 0`
        const computed = sql`select workspace_id, audience, count(*)::integer, sum(length)::bigint from records
          where ${own} and forgotten_at is null group by 1, 2`
        const stored = toPairs(own)
        const made = sql`select audience, term, workspace_id, seq from records cross join unnest(string_to_array(terms, ' ')) as term
          where ${own} and forgotten_at is null and term <> ''`
        const count = async (query: typeof own) => {
          const [row] = await db.execute<{ n: number }>(sql`select count(*)::integer as n from (${query}) as found`)
          return row?.n ?? 0
        }
        const differences = async (a: typeof own, b: typeof own) =>
          (await count(sql`${a} except ${b}`)) + (await count(sql`${b} except ${a}`))
        return {
          records: await count(indexed),
          missing: await count(sql`${indexed} and terms <> '' except select seq from (${stored}) as pairs`),
          orphaned: await count(sql`select seq from (${stored}) as pairs except ${indexed}`),
          miscounted: await differences(storedStats, computed),
          sound:
            (await differences(stored, made)) === 0 &&
            (await count(sql`select 1 from posting_lists where ${own} and records <> octet_length(seqs) / 4`)) === 0,
        }
      }),
  }
}

/** A row for each number of each posting list. */
const toPairs = (own: SQL): SQL => sql`select audience, term, workspace_id,
    (get_byte(seqs, 4 * at) << 24) | (get_byte(seqs, 4 * at + 1) << 16) | (get_byte(seqs, 4 * at + 2) << 8) | get_byte(seqs, 4 * at + 3) as seq
  from posting_lists cross join generate_series(0, octet_length(seqs) / 4 - 1) as at where ${own}`

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
