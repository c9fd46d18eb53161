import { sql } from 'drizzle-orm'
import type { Audience, IndexEntry } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { toText } from '../exact-text.ts'
import { appendToLists, type Entry, editLists } from './posting-lists.ts'

/** The record that an entry is of, and who sees it. */
export type Indexed = { seq: number; workspaceId: number; audience: Audience }

/** Entries that are taken out, and then others that are put in: a record may get a new entry in the place of its present one. */
type Phase = { removed: Entry[]; added: Entry[]; appended: Entry[] }
type Change =
  | { kind: 'stats'; workspace: number; audience: Audience; records: number; length: number }
  | { kind: 'language'; workspace: number; audience: Audience; language: string }
  | { kind: 'audience'; workspace: number; audience: Audience }

/**
 * Changes of the index and of the statistics beside it that the acts of one transaction made. They are written together, once before the commit or before something of the
 * index is read: the terms of many saves take one statement, and one more for statistics.
 */
export type IndexChanges = {
  /** `isNew` where no record has a larger number. */
  insertEntry: (record: Indexed, entry: IndexEntry, isNew?: 'new') => void
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
  let phases: Phase[] = []
  return {
    insertEntry: (record, { terms, length, language }, isNew) => {
      const { workspaceId: workspace, audience } = record
      const { added, appended } = lastOf(phases)
      const into = isNew === undefined ? added : appended
      into.push(toEntry(record, terms))
      changes.push({ kind: 'stats', workspace, audience, records: 1, length })
      if (language !== 'en') changes.push({ kind: 'language', workspace, audience, language })
    },
    deleteEntry: (record, { terms, length }) => {
      const { workspaceId: workspace, audience } = record
      const { added, appended } = lastOf(phases)
      if ([...added, ...appended].some(({ seq }) => seq === record.seq)) phases.push(newPhase())
      lastOf(phases).removed.push(toEntry(record, terms))
      changes.push({ kind: 'stats', workspace, audience, records: -1, length: -length })
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
    flush: async (connection) => {
      const [taken, takenPhases] = [changes, phases]
      changes = []
      phases = []
      for (const { removed, added, appended } of takenPhases) {
        await editLists(connection, projectId, { removed, added })
        await appendToLists(connection, projectId, appended)
      }
      if (taken.length > 0) await writeChanges(connection, projectId, taken)
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

async function writeChanges(connection: Connection, projectId: string, changes: Change[]): Promise<void> {
  const of = <Kind extends Change['kind']>(kind: Kind) =>
    changes.filter((change): change is Extract<Change, { kind: Kind }> => change.kind === kind)
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
