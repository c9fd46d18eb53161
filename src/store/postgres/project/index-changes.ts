import { sql } from 'drizzle-orm'
import type { Audience, IndexEntry } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { toText } from '../exact-text.ts'

/** The record that an entry is of, and who sees it. */
export type Indexed = { seq: number; workspaceId: number; audience: Audience }

type Posting = { audience: Audience; term: string; seq: number; workspace: number }
type Change =
  | { kind: 'postings'; by: 1 | -1; rows: Posting[] }
  | { kind: 'stats'; workspace: number; audience: Audience; records: number; length: number }
  | { kind: 'language'; workspace: number; audience: Audience; language: string }
  | { kind: 'audience'; workspace: number; audience: Audience }

/**
 * Changes of the index and of the statistics beside it that the acts of one transaction made. They are written together, once before the commit or before something of the
 * index is read: the terms of many saves take a statement each for postings, counts of terms and statistics, instead of four a save.
 */
export type IndexChanges = {
  insertEntry: (record: Indexed, entry: IndexEntry) => void
  deleteEntry: (record: Indexed, entry: { terms: string; length: number }) => void
  /** Notes that an audience was given a record of a workspace. */
  addAudience: (workspace: number, audience: Audience) => void
  /** Returns the function that brings back what there is now: a savepoint that is undone undoes what was written since, too. */
  mark: () => () => void
  /** Drops all changes, those of a transaction that failed. */
  clear: () => void
  flush: (connection: Connection) => Promise<void>
}

export function createIndexChanges(projectId: string): IndexChanges {
  let changes: Change[] = []
  const toPostings = ({ seq, workspaceId, audience }: Indexed, terms: string) =>
    [...new Set(terms.split(' '))].filter((term) => term !== '').map((term): Posting => ({ audience, term, seq, workspace: workspaceId }))
  return {
    insertEntry: (record, { terms, length, language }) => {
      const { workspaceId: workspace, audience } = record
      changes.push({ kind: 'postings', by: 1, rows: toPostings(record, terms) }, { kind: 'stats', workspace, audience, records: 1, length })
      if (language !== 'en') changes.push({ kind: 'language', workspace, audience, language })
    },
    deleteEntry: (record, { terms, length }) => {
      const { workspaceId: workspace, audience } = record
      changes.push(
        { kind: 'postings', by: -1, rows: toPostings(record, terms) },
        { kind: 'stats', workspace, audience, records: -1, length: -length },
      )
    },
    addAudience: (workspace, audience) => void changes.push({ kind: 'audience', workspace, audience }),
    mark: () => {
      const before = [...changes]
      return () => {
        changes = before
      }
    },
    clear: () => {
      changes = []
    },
    flush: async (connection) => {
      const taken = changes
      changes = []
      if (taken.length > 0) await writeChanges(connection, projectId, taken)
    },
  }
}

async function writeChanges(connection: Connection, projectId: string, changes: Change[]): Promise<void> {
  const of = <Kind extends Change['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind)
  await writePostings(connection, projectId, of('postings'))
  await writeSums(connection, projectId, of('stats'))
  for (const [key, { length: records }] of Map.groupBy(of('language'), ({ workspace, audience, language }) =>
    JSON.stringify([workspace, audience, language]),
  )) {
    const [workspace, audience, language] = JSON.parse(key)
    await connection.db.execute(sql`insert into languages (project_id, workspace_id, audience, language, records)
      values (${projectId}, ${workspace}, ${audience}, ${language}, ${records})
      on conflict (project_id, workspace_id, audience, language) do update set records = languages.records + excluded.records`)
  }
  const audiences = new Map(of('audience').map((one) => [JSON.stringify([one.workspace, one.audience]), one]))
  for (const { workspace, audience } of audiences.values()) {
    await connection.db.execute(sql`insert into workspace_audiences (project_id, workspace_id, audience, name)
      select ${projectId}, ${workspace}::integer, ${audience}, name from workspaces where project_id = ${projectId} and id = ${workspace} and removed_at is null
      on conflict do nothing`)
  }
}

/** Entries are taken out before others are put in: a record may get a new entry in the place of its present one. */
async function writePostings(connection: Connection, projectId: string, changes: { by: 1 | -1; rows: Posting[] }[]): Promise<void> {
  const net = new Map<string, { row: Posting; by: number }>()
  for (const { by, rows } of changes) {
    for (const row of rows) {
      const key = `${row.seq} ${row.workspace} ${row.audience} ${row.term}`
      net.set(key, { row, by: (net.get(key)?.by ?? 0) + by })
    }
  }
  const all = [...net.values()]
  const [removed, added] = [-1, 1].map((sign) => all.filter(({ by }) => by === sign).map(({ row }) => row))
  const toRows = (
    rows: Posting[],
  ) => sql`json_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, term: toText(row.term) })))}::text::json)
    as row (audience text, term text, seq integer, workspace integer)`
  if (removed && removed.length > 0) {
    await connection.db.execute(sql`delete from postings using ${toRows(removed)} where postings.project_id = ${projectId}
      and postings.audience = row.audience and postings.term = row.term and postings.seq = row.seq and postings.workspace_id = row.workspace`)
  }
  if (added && added.length > 0) {
    await connection.db.execute(sql`insert into postings (project_id, audience, term, seq, workspace_id)
      select ${projectId}, row.audience, row.term, row.seq, row.workspace from ${toRows(added)} on conflict do nothing`)
  }
  await writeTermCounts(connection, projectId, all)
}

async function writeTermCounts({ db }: Connection, projectId: string, changes: { row: Posting; by: number }[]): Promise<void> {
  const counts = new Map<string, { audience: Audience; term: string; records: number }>()
  for (const { row, by } of changes) {
    const { audience, term } = row
    const key = `${audience} ${term}`
    counts.set(key, { audience, term: toText(term), records: (counts.get(key)?.records ?? 0) + by })
  }
  const changed = [...counts.values()].filter(({ records }) => records !== 0)
  if (changed.length === 0) return
  await db.execute(sql`insert into vocabulary (project_id, audience, term, records)
    select ${projectId}, row.audience, row.term, row.records
    from json_to_recordset(${JSON.stringify(changed)}::text::json) as row (audience text, term text, records integer)
    on conflict (project_id, audience, term) do update set records = vocabulary.records + excluded.records`)
}

type Stats = { workspace: number; audience: Audience; records: number; length: number }

async function writeSums({ db }: Connection, projectId: string, changes: Stats[]): Promise<void> {
  for (const group of Map.groupBy(changes, ({ workspace, audience }) => `${workspace} ${audience}`).values()) {
    const [{ workspace, audience } = { workspace: 0, audience: '' }] = group
    const records = group.reduce((sum, one) => sum + one.records, 0)
    const length = group.reduce((sum, one) => sum + one.length, 0)
    await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
      values (${projectId}, ${workspace}, ${audience}, ${records}, ${length}) on conflict (project_id, workspace_id, audience)
      do update set records = audience_stats.records + excluded.records, length = audience_stats.length + excluded.length`)
  }
}
