import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Audience, Visible } from '../../../record.ts'
import type { IndexFacts, SearchReads } from '../../../search.ts'
import { fromText } from '../../exact-text.ts'
import { audienceStats, languages, projectState } from '../../schema/project.ts'
import { isOf, isVisible, type Scope } from '../scope.ts'

/** `audiences` and `languages` are JSON: lists of rows. */
type FactsRow = {
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
  ...{ records: 0, removals: 0, lastSeq: 0, rules: null, target: null, reached: null },
  ...{ audiences: '[]', languages: '[]' },
}

/** What a search needs before it reads postings, in one statement, since each costs a round trip to the database. */
export function createFactsReads(scope: Scope): Pick<SearchReads, 'readIndexFacts'> {
  return {
    readIndexFacts: (visible, workspaceId) =>
      scope.run(async ({ db }) => {
        const isInPart = (table: typeof audienceStats | typeof languages) => isPart(scope, table, visible, workspaceId)
        const { audience, records, length } = audienceStats
        const counts = sql`select ${audience} as name, sum(${records}) as records, sum(${length}) as length
          from ${audienceStats} where ${isInPart(audienceStats)} group by ${audience} having sum(${records}) > 0`
        const spoken = sql`select ${languages.language} as name, sum(${languages.records}) as records
          from ${languages} where ${isInPart(languages)} group by ${languages.language} having sum(${languages.records}) > 0`
        const [row] = (await db.execute(sql`select records, removals, last_seq as "lastSeq", rules, target, reached,
          ${toJson(counts)} as audiences, ${toJson(spoken)} as languages from ${projectState} where ${isOf(projectState, scope)}`)) as FactsRow[]
        return toFacts(row ?? NOTHING)
      }),
  }
}

type PartTable = { projectId: PgColumn; audience: PgColumn; workspaceId: PgColumn }

const isPart = (scope: Scope, table: PartTable, visible: Visible, workspaceId: number | undefined): SQL | undefined =>
  and(
    isOf(table, scope),
    isVisible(table.audience, visible),
    workspaceId === undefined ? undefined : eq(table.workspaceId, workspaceId),
  )

const toJson = (rows: SQL): SQL => sql`(select coalesce(json_agg(part), '[]') from (${rows}) as part)::text`

type Count = { name: Audience; records: number; length: number }

function toFacts({ records, removals, lastSeq, rules, target, reached, audiences, languages }: FactsRow): IndexFacts {
  const counts: Count[] = JSON.parse(audiences)
  const spoken: Count[] = JSON.parse(languages)
  return {
    audiences: counts.map(({ name, ...count }) => ({ audience: fromText(name), ...count })),
    languages: spoken.map(({ name, records }) => ({ language: fromText(name), records })),
    indexing: rules === null ? undefined : { rules, target: target ?? 0, reached: reached ?? 0 },
    projectRecords: records,
    sequence: { epoch: String(removals), lastSeq },
  }
}
