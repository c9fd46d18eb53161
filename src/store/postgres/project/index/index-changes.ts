import { type SQL, sql } from 'drizzle-orm'
import type { Audience, IndexEntry } from '../../../record.ts'
import type { Connection } from '../../connection.ts'
import { toText } from '../../exact-text.ts'
import { type Entry, editLists, toAppend } from './posting-lists.ts'

/** The record that an entry is of, and who sees it. */
type Indexed = { seq: number; workspaceId: number; audience: Audience }

/**
 * Entries that are taken out, and then others that are put in: a record may get a new entry in the place of its present
 * one.
 */
type Phase = { removed: Entry[]; added: Entry[]; appended: Entry[] }
type Change =
  | { kind: 'stats'; workspace: number; audience: Audience; records: number; length: number }
  | { kind: 'language'; workspace: number; audience: Audience; language: string; records: number }
  | { kind: 'audience'; workspace: number; audience: Audience }

/**
 * Changes of the index and of the statistics beside it that the acts of one transaction made. They are written
 * together, once before the commit or before something of the index is read: the terms of many saves take one
 * statement, and each kind of statistics one more.
 */
export type IndexChanges = {
  /** `isNew` if no record has a larger number. */
  insertEntry: (record: Indexed, entry: IndexEntry, isNew?: 'new') => void
  deleteEntry: (record: Indexed, entry: Pick<IndexEntry, 'terms' | 'length'> & { language: string }) => void
  /** Notes that an audience was given a record of a workspace. */
  addAudience: (workspace: number, audience: Audience) => void
  /**
   * Returns the function that brings back what there is now: a savepoint that is undone undoes what was written since,
   * too.
   */
  mark: () => () => void
  /** Drops all changes, those of a transaction that failed. */
  clear: () => void
  /** Edits lists, which begins with reading them, and returns the statements that write the rest. */
  take: (connection: Connection) => Promise<SQL[]>
  flush: (connection: Connection) => Promise<void>
}

export function createIndexChanges(projectId: number): IndexChanges {
  let changes: Change[] = []
  let phases: Phase[] = []

  async function take(connection: Connection): Promise<SQL[]> {
    const [taken, takenPhases] = [changes, phases]
    changes = []
    phases = []
    let append: SQL | undefined
    for (const { removed, added, appended } of takenPhases) {
      if (append !== undefined) await connection.db.execute(append)
      await editLists(connection, projectId, { removed, added })
      append = appended.length === 0 ? undefined : toAppend(projectId, appended)
    }
    return [...(append === undefined ? [] : [append]), ...toStatements(projectId, taken)]
  }

  return {
    insertEntry: (record, { terms, length, language }, isNew) => {
      const { workspaceId: workspace, audience } = record
      const { added, appended } = lastOf(phases)
      const into = isNew === undefined ? added : appended
      into.push(toEntry(record, terms))
      changes.push({ kind: 'stats', workspace, audience, records: 1, length })
      if (language !== 'en') changes.push({ kind: 'language', workspace, audience, language, records: 1 })
    },
    deleteEntry: (record, { terms, length, language }) => {
      const { workspaceId: workspace, audience } = record
      const { added, appended } = lastOf(phases)
      if ([...added, ...appended].some(({ seq }) => seq === record.seq)) phases.push(newPhase())
      lastOf(phases).removed.push(toEntry(record, terms))
      changes.push({ kind: 'stats', workspace, audience, records: -1, length: -length })
      if (language !== 'en') changes.push({ kind: 'language', workspace, audience, language, records: -1 })
    },
    addAudience: (workspace, audience) => void changes.push({ kind: 'audience', workspace, audience }),
    mark: () => {
      const before = [...changes]
      const phasesBefore = phases.map(({ removed, added, appended }) => ({
        removed: [...removed],
        added: [...added],
        appended: [...appended],
      }))
      return () => {
        changes = before
        phases = phasesBefore
      }
    },
    clear: () => {
      changes = []
      phases = []
    },
    take,
    flush: async (connection) => {
      for (const statement of await take(connection)) await connection.db.execute(statement)
    },
  }
}

const newPhase = (): Phase => ({ removed: [], added: [], appended: [] })

function lastOf(phases: Phase[]): Phase {
  const last = phases.at(-1) ?? newPhase()
  if (phases.length === 0) phases.push(last)
  return last
}

function toEntry({ seq, workspaceId, audience }: Indexed, terms: string): Entry {
  const distinct = new Set(terms.split(' '))
  distinct.delete('')
  return { seq, workspace: workspaceId, audience, terms: [...distinct].map(toText) }
}

/** A statement for each kind of change that there is, with one row for each place. */
function toStatements(projectId: number, changes: Change[]): SQL[] {
  const of = <Kind extends Change['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind)
  const write = (rows: object[], toStatement: (rows: SQL) => SQL) =>
    rows.length === 0 ? [] : [toStatement(sql`json_to_recordset(${JSON.stringify(rows)}::text::json)`)]
  return [
    ...write(
      toSums(of('stats')),
      (rows) => sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
      select ${projectId}, workspace, audience, records, length from ${rows} as row (workspace integer, audience text, records integer, length bigint)
      on conflict (project_id, workspace_id, audience)
      do update set records = audience_stats.records + excluded.records, length = audience_stats.length + excluded.length`,
    ),
    ...write(
      toCounts(of('language')),
      (rows) => sql`insert into languages (project_id, workspace_id, audience, language, records)
      select ${projectId}, workspace, audience, language, records from ${rows} as row (workspace integer, audience text, language text, records integer)
      on conflict (project_id, workspace_id, audience, language) do update set records = languages.records + excluded.records`,
    ),
    ...write(
      toDistinct(of('audience')),
      (rows) => sql`insert into workspace_audiences (project_id, workspace_id, audience, name)
      select ${projectId}, workspace, audience, name from ${rows} as row (workspace integer, audience text)
      join workspaces on project_id = ${projectId} and id = workspace and removed_at is null on conflict do nothing`,
    ),
  ]
}

type Stats = Extract<Change, { kind: 'stats' }>
type Language = Extract<Change, { kind: 'language' }>
type Known = Extract<Change, { kind: 'audience' }>

const placeOf = ({ workspace, audience }: { workspace: number; audience: Audience }) => `${workspace} ${audience}`

function toSums(changes: Stats[]): Stats[] {
  const sums = new Map<string, Stats>()
  for (const change of changes) {
    const { records, length } = sums.get(placeOf(change)) ?? { records: 0, length: 0 }
    sums.set(placeOf(change), { ...change, records: records + change.records, length: length + change.length })
  }
  return [...sums.values()]
}

const toCounts = (changes: Language[]) =>
  [...Map.groupBy(changes, (change) => `${change.language} ${placeOf(change)}`).values()].map((group) => ({
    ...group[0],
    records: group.reduce((sum, { records }) => sum + records, 0),
  }))

const toDistinct = (changes: Known[]): Known[] => [
  ...new Map(changes.map((change) => [placeOf(change), change])).values(),
]
