import { and, asc, count, desc, eq, isNotNull, max, or, type SQL, sql } from 'drizzle-orm'
import type { Source } from '../../record.ts'
import type { RecordFilter } from '../../record-lists.ts'
import type { SourceSummary, StatisticsReads } from '../../statistics.ts'
import { numberArray, numbers } from '../among.ts'
import { records, workspaces } from '../schema/project.ts'
import { isInPlace, isStale, passes } from './filter.ts'
import type { Scope } from './scope.ts'
import { createSourceReads } from './sources.ts'

const DAY = sql<number>`${records.savedAt} / 86400000`.mapWith(Number)
const SOURCE = { workspaceId: records.workspaceId, sourceId: sql<string>`${records.sourceId}`.mapWith(records.sourceId) }
/** Sources that one statement names. */
const SOURCES_PER_READ = 200

/** Counts of records. */
export function createStatisticsReads(scope: Scope): StatisticsReads {
  const { run } = scope
  const { findCurrentHashes } = createSourceReads(scope)
  const isOfSource = (filter: RecordFilter) => and(isInPlace(scope, filter), isNotNull(records.sourceId))
  return {
    countByDay: (filter) =>
      run(({ db }) =>
        db
          .select({ day: DAY, status: records.status, authorId: records.authorId, records: count() })
          .from(records)
          .where(and(isInPlace(scope, filter), passes(scope, filter)))
          .groupBy(DAY, records.status, records.authorId),
      ),
    countStale: (visible, now) =>
      run(async ({ db }) => {
        const { workspaceId, sourceId, sourceHash, status, expiresAt } = records
        // Records of one state of a source are judged once; under the name of the table, as single ones are.
        const states = db
          .select({ workspaceId, sourceId, sourceHash, status, expiresAt, n: count().as('n') })
          .from(records)
          .where(isInPlace(scope, { visible }))
          .groupBy(workspaceId, sourceId, sourceHash, status, expiresAt)
          .as('records')
        const [row] = await db
          .select({ n: sql`coalesce(sum(${states.n}), 0)`.mapWith(Number) })
          .from(states)
          .where(isStale(scope, visible, now))
        return row?.n ?? 0
      }),
    listSources: ({ visible, workspaceIds, text, after, limit }) =>
      run(({ db }) =>
        db
          .select({ ...SOURCE, records: count() })
          .from(records)
          .where(and(isOfSource({ visible }), isAfter(workspaceIds, after), text === undefined ? undefined : hasText(text)))
          .groupBy(records.workspaceId, records.sourceId)
          .orderBy(sql`array_position(${numberArray(workspaceIds)}, ${records.workspaceId})`, asc(records.sourceId))
          .limit(limit),
      ),
    listLargestSources: (visible, limit) =>
      run(({ db }) =>
        db
          .select({ ...SOURCE, records: count() })
          .from(records)
          .where(isOfSource({ visible }))
          .groupBy(records.workspaceId, records.sourceId)
          .orderBy(desc(count()), asc(records.sourceId), nameOfWorkspace(scope))
          .limit(limit),
      ),
    summarizeSources: async (visible, sources, now) => {
      const hashes = await findCurrentHashes(visible, sources)
      const stale = sql<number>`count(*) filter (where ${isStale(scope, visible, now)})`.mapWith(Number)
      const found = new Map<string, Omit<SourceSummary, 'hash'>>()
      for (let at = 0; at < sources.length; at += SOURCES_PER_READ) {
        const isNamed = or(...sources.slice(at, at + SOURCES_PER_READ).map(isSource))
        const rows = await run(({ db }) =>
          db
            .select({ ...SOURCE, records: count(), stale, savedAt: sql<number>`${max(records.savedAt)}`.mapWith(Number) })
            .from(records)
            .where(and(isOfSource({ visible }), isNamed))
            .groupBy(records.workspaceId, records.sourceId),
        )
        for (const row of rows) found.set(keyOf(row), row)
      }
      return sources.flatMap((source, at) => {
        const row = found.get(keyOf(source))
        return row === undefined ? [] : [{ ...row, hash: hashes[at] }]
      })
    },
  }
}

const keyOf = ({ workspaceId, sourceId }: Source) => `${workspaceId} ${sourceId}`

const isSource = ({ workspaceId, sourceId }: Source) => and(eq(records.workspaceId, workspaceId), eq(records.sourceId, sourceId))

const isAfter = (workspaceIds: number[], after = ''): SQL =>
  sql`${records.workspaceId} in ${numbers(workspaceIds)}
    and (${records.workspaceId} <> ${workspaceIds[0] ?? 0}::integer or ${records.sourceId} > ${sql.param(after, records.sourceId)}::text)`

const nameOfWorkspace = ({ projectId }: Scope): SQL =>
  sql`(select ${workspaces.name} from ${workspaces} where ${workspaces.projectId} = ${projectId} and ${workspaces.id} = ${records.workspaceId})`

const hasText = (text: string): SQL =>
  sql`position(lower(${sql.param(text, records.sourceId)}::text collate "C") in lower(${records.sourceId})) > 0`
