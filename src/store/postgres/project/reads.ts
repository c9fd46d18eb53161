import { and, type Column, eq, type SQL, sql, type Table } from 'drizzle-orm'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import type { ProjectReads } from '../../project.ts'
import type { Audience, Visible } from '../../record.ts'
import type { IndexFacts, SearchReads, SmallRecord } from '../../search.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import { type ProjectSql, toSelectList } from '../../shared/project/sql.ts'
import { fromText } from '../exact-text.ts'
import { RUN } from '../outcome.ts'
import { audienceStats, languages, projectState, records } from '../schema/project.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import { createSql, toEngine } from './sql.ts'

/** The largest average content of a project that `listSmallProject` returns whole, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** The verbs that read a project. */
export function createReads(scope: Scope): ProjectReads {
  const sql = createSql(scope)
  const shared = withFailures(toCause, createSharedReads(sql, toEngine(scope)))
  const readUsage: ProjectReads['readUsage'] = () =>
    scope.run(async ({ db }) => {
      const { records: count, contentBytes } = projectState
      const [row] = await db
        .select({ records: count, contentBytes })
        .from(projectState)
        .where(eq(projectState.projectId, scope.projectId))
      return row ?? { records: 0, contentBytes: 0 }
    })
  return {
    ...shared,
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createFactsReads(scope),
    ...createIndexCheck(scope),
    readUsage,
    listSmallProject: (most) => listSmallProject(sql, most),
  }
}

const { seq, workspaceId, audience, id, factKey, sourceId, askedAs } = records
const SMALL = toSelectList({ seq, workspaceId, audience, id, factKey, sourceId, askedAs })

/** Records with their index entries, in one statement. A project without records has one row, of nulls. */
async function listSmallProject({ all, own }: ProjectSql, most: number): Promise<SmallRecord[] | undefined> {
  const isSmall = `${own('state')} and state.records <= $most and state.content_bytes <= $bytes`
  const hasEntry = `state.rules = ${ANALYZER_VERSION} and records.codes is not null`
  const rows = await all<SmallRecord | { seq: null }>(
    `select ${SMALL}, case when ${hasEntry} then null else records.content end as content, records.terms,
      records.length, records.codes from project_state as state
      left join records on ${own('records')} and records.forgotten_at is null where ${isSmall} order by records.seq`,
    { most, bytes: most * MAX_AVERAGE_BYTES },
  )
  return rows.length === 0 ? undefined : rows.filter((row): row is SmallRecord => row.seq !== null)
}

/** `audiences` and `languages` are JSON: lists of rows. */
type FactsRow = {
  run: string
  records: number
  removals: number
  lastSeq: number
  rules: number | null
  target: number | null
  reached: number | null
  audiences: string
  languages: string
}

const NOTHING: FactsRow = {
  ...{ run: '', records: 0, removals: 0, lastSeq: 0, rules: null, target: null, reached: null },
  ...{ audiences: '[]', languages: '[]' },
}

/** What a search needs before it reads postings, in one statement, since each costs a round trip to the database. */
function createFactsReads(scope: Scope): Pick<SearchReads, 'readIndexFacts'> {
  return {
    readIndexFacts: (visible, workspaceId) =>
      scope.run(async ({ db }) => {
        const isInPart = (table: typeof audienceStats | typeof languages) => isPart(scope, table, visible, workspaceId)
        const { audience, records, length } = audienceStats
        const counts = sql`select ${audience} as name, sum(${records}) as records, sum(${length}) as length
          from ${audienceStats} where ${isInPart(audienceStats)} group by ${audience} having sum(${records}) > 0`
        const spoken = sql`select ${languages.language} as name, sum(${languages.records}) as records
          from ${languages} where ${isInPart(languages)} group by ${languages.language} having sum(${languages.records}) > 0`
        const [row] =
          (await db.execute(sql`select ${RUN} as run, records, removals, last_seq as "lastSeq", rules, target, reached,
          ${toJson(counts)} as audiences, ${toJson(spoken)} as languages from ${projectState} where ${isOf(projectState, scope)}`)) as FactsRow[]
        return toFacts(row ?? NOTHING)
      }),
  }
}

type PartTable = Table & { audience: Column; workspaceId: Column }

const isPart = (scope: Scope, table: PartTable, visible: Visible, workspaceId: number | undefined): SQL | undefined =>
  and(
    isOf(table, scope),
    isVisible(table.audience, visible),
    workspaceId === undefined ? undefined : eq(table.workspaceId, workspaceId),
  )

const toJson = (rows: SQL): SQL => sql`(select coalesce(json_agg(part), '[]') from (${rows}) as part)::text`

type Count = { name: Audience; records: number; length: number }

function toFacts({ run, records, removals, rules, target, reached, ...row }: FactsRow): IndexFacts {
  const counts: Count[] = JSON.parse(row.audiences)
  const spoken: Count[] = JSON.parse(row.languages)
  return {
    audiences: counts.map(({ name, ...count }) => ({ audience: fromText(name), ...count })),
    languages: spoken.map(({ name, records }) => ({ language: fromText(name), records })),
    indexing: rules === null ? undefined : { rules, target: target ?? 0, reached: reached ?? 0 },
    projectRecords: records,
    // A standby that was promoted without the last commits gives their numbers to other records.
    sequence: { epoch: `${run} ${removals}`, lastSeq: row.lastSeq },
  }
}
