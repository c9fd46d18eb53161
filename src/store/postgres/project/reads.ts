import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import type { ProjectReads } from '../../project.ts'
import type { Usage } from '../../record.ts'
import { type IndexFacts, MAX_AVERAGE_BYTES, type SearchReads, type SmallRecord } from '../../search.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import { toIndexCounts } from '../../shared/project/index-counts.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import { type ProjectSql, toSelectList } from '../../shared/project/sql.ts'
import { RUN } from '../outcome.ts'
import { records } from '../schema/project.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import type { Scope } from './scope.ts'
import { createSql, toEngine } from './sql.ts'

/** The verbs that read a project. */
export function createReads(scope: Scope): ProjectReads {
  const sql = createSql(scope)
  const shared = withFailures(toCause, createSharedReads(sql, toEngine(scope)))
  const usage = `select records, content_bytes::float8 as "contentBytes" from project_state where ${sql.own()}`
  return {
    ...shared,
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createFactsReads(sql),
    ...createIndexCheck(scope),
    readUsage: async () => (await sql.all<Usage>(usage, {}))[0] ?? { records: 0, contentBytes: 0 },
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
const createFactsReads = (sql: ProjectSql): Pick<SearchReads, 'readIndexFacts'> => ({
  readIndexFacts: async (visible, workspaceId) => {
    const { audiences, languages, params } = toIndexCounts(sql, visible, workspaceId)
    const text = `select ${RUN} as run, records, removals, last_seq as "lastSeq", rules, target, reached,
      ${toJson(audiences)} as audiences, ${toJson(languages)} as languages from project_state where ${sql.own()}`
    const [row = NOTHING] = await sql.all<FactsRow>(text, params)
    return toFacts(row)
  },
})

const toJson = (rows: string): string => `(select coalesce(json_agg(part), '[]') from (${rows}) as part)::text`

const toFacts = ({ run, records, removals, rules, target, reached, ...row }: FactsRow): IndexFacts => ({
  audiences: JSON.parse(row.audiences),
  languages: JSON.parse(row.languages),
  indexing: rules === null ? undefined : { rules, target: target ?? 0, reached: reached ?? 0 },
  projectRecords: records,
  // A standby that was promoted without the last commits gives their numbers to other records.
  sequence: { epoch: `${run} ${removals}`, lastSeq: row.lastSeq },
})
