import { and, desc, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { toComparableContent, toComparableKey } from '../../../text/comparable.ts'
import { toContentHash } from '../../content-hash.ts'
import type { ExpectedSave } from '../../project.ts'
import type { Audience, Fact, Rank, RecordHead, SavedFields, StoredRecord } from '../../record.ts'
import type { Workspace } from '../../workspace.ts'
import { texts } from '../among.ts'
import type { Connection } from '../connection.ts'
import { records, sources } from '../schema/project.ts'
import { RECORD } from './record-row.ts'
import { isOf } from './scope.ts'

/** Records that are read ahead for all acts of a transaction, and states of sources. Where there are more, each act reads for itself. */
const MAX_RECORDS = 128
const MAX_STATES = 1_024

type State = { workspaceId: number; sourceId: string; audience: Audience; hash: string; saveSequence: number }

/**
 * What the saves of one transaction will ask for, read ahead in a statement for each kind, and kept up with what they add. It holds until anything else of the project's
 * records is changed: then it is dropped, and acts read for themselves. Every answer is the one that the database would give; undefined where it has to be asked.
 */
export type Foreseen = {
  load: (connection: Connection, saves: ExpectedSave[]) => Promise<void>
  clear: () => void
  /** Adds a record that was saved in the transaction. */
  add: (record: StoredRecord) => void
  setHash: (state: State) => void
  /** Notes a workspace that is not removed. */
  setWorkspace: (workspace: Workspace) => void
  findWorkspace: (name: string) => Workspace | undefined
  /** Records saved with the same fields that are not forgotten, largest number first. */
  listSame: (saved: SavedFields) => StoredRecord[] | undefined
  listRivals: (fact: Fact, of: { status: string; before?: Rank | undefined; limit: number }) => RecordHead[] | undefined
  /** The hash last saved for a source by a visible save. */
  findHash: (visible: Audience[] | undefined, source: Pick<State, 'workspaceId' | 'sourceId'>) => { hash: string | undefined } | undefined
}

type Loaded = { hashes: Set<number>; keys: Set<string>; sources: Set<string>; records: StoredRecord[]; states: State[] }

export function createForeseen(projectId: string): Foreseen {
  let loaded: Loaded | undefined
  const workspaces = new Map<string, Workspace>()
  return {
    load: async (connection, saves) => {
      workspaces.clear()
      loaded = saves.length === 0 ? undefined : await load(connection, projectId, saves)
    },
    clear: () => {
      workspaces.clear()
      loaded = undefined
    },
    setWorkspace: (workspace) => void workspaces.set(workspace.name, workspace),
    findWorkspace: (name) => workspaces.get(name),
    add: (record) => void loaded?.records.push(record),
    setHash: (state) => {
      const { states = [] } = loaded ?? {}
      const at = states.findIndex((one) => isOfSource(one, state) && one.audience === state.audience)
      if (at >= 0) states.splice(at, 1)
      states.push(state)
    },
    listSame: (saved) => (loaded?.hashes.has(toContentHash(saved.content)) ? listSame(loaded, saved) : undefined),
    listRivals: (fact, of) => (loaded?.keys.has(toComparableKey(fact.factKey)) ? listRivals(loaded, fact, of) : undefined),
    findHash: (visible, source) => {
      if (!loaded?.sources.has(source.sourceId)) return undefined
      const seen = loaded.states.filter((one) => isOfSource(one, source) && (visible?.includes(one.audience) ?? true))
      return { hash: seen.sort((a, b) => b.saveSequence - a.saveSequence)[0]?.hash }
    },
  }
}

/** Undefined where there is more than is read ahead. The statements are sent together. */
async function load({ db }: Connection, projectId: string, saves: ExpectedSave[]): Promise<Loaded | undefined> {
  const scope = { projectId }
  const hashes = new Set(saves.map(({ content }) => toContentHash(content)))
  const keys = new Set(saves.filter(({ factKeyGiven }) => factKeyGiven).map(({ factKey }) => toComparableKey(factKey)))
  const names = new Set(saves.flatMap(({ sourceId }) => sourceId ?? []))
  // As arrays: the index is used whatever the planner knows of the table.
  const isHash = sql`${records.contentHash} = any(${`{${[...hashes].join(',')}}`}::text::bigint[])`
  const isKey = keys.size === 0 ? undefined : isAnyOf(records.comparedKey, [...keys])
  const find = (condition: typeof isHash) =>
    db
      .select(RECORD)
      .from(records)
      .where(and(isOf(records, scope), isNull(records.forgottenAt), condition))
      .orderBy(desc(records.seq))
      .limit(MAX_RECORDS + 1)
  const { workspaceId, sourceId, audience, hash, saveSequence } = sources
  const [ofContent, ofKey, states] = await Promise.all([
    find(isHash),
    isKey === undefined ? [] : find(isKey),
    names.size === 0
      ? []
      : db
          .select({ workspaceId, sourceId, audience, hash, saveSequence })
          .from(sources)
          .where(and(isOf(sources, scope), isAnyOf(sourceId, [...names])))
          .limit(MAX_STATES + 1),
  ])
  if (ofContent.length > MAX_RECORDS || ofKey.length > MAX_RECORDS || states.length > MAX_STATES) return undefined
  const found = new Map([...ofContent, ...ofKey].map((record) => [record.seq, record]))
  return { hashes, keys, sources: names, records: [...found.values()], states }
}

const isAnyOf = (column: PgColumn, values: string[]): SQL => sql`${column} = any(array${texts(values)})`

const isOfSource = (a: Pick<State, 'workspaceId' | 'sourceId'>, b: Pick<State, 'workspaceId' | 'sourceId'>) =>
  a.workspaceId === b.workspaceId && a.sourceId === b.sourceId

/** As `same.ts` asks the database. */
function listSame({ records: all }: Loaded, saved: SavedFields): StoredRecord[] {
  const [content, key] = [toComparableContent(saved.content), toComparableKey(saved.factKey)]
  const isSame = (one: StoredRecord) =>
    one.workspaceId === saved.workspaceId &&
    one.audience === saved.audience &&
    (saved.sourceId === null ? one.sourceId === null && one.authorId === saved.authorId : one.sourceId === saved.sourceId) &&
    toComparableKey(one.factKey) === key &&
    toComparableContent(one.content) === content
  return all.filter(isSame).sort((a, b) => b.seq - a.seq)
}

/** As `facts.ts` asks the database. */
function listRivals({ records: all }: Loaded, fact: Fact, { status, before, limit }: Parameters<Foreseen['listRivals']>[1]): RecordHead[] {
  const [hash, key] = [toContentHash(fact.content), toComparableKey(fact.factKey)]
  const rankOf = ({ verifiedAt, createdAt }: StoredRecord) => verifiedAt ?? createdAt
  const isBefore = (one: StoredRecord) =>
    before === undefined || rankOf(one) < before.at || (rankOf(one) === before.at && one.seq < before.seq)
  const isRival = (one: StoredRecord) =>
    one.workspaceId === fact.workspaceId &&
    one.audience === fact.audience &&
    one.status === status &&
    toComparableKey(one.factKey) === key &&
    toContentHash(one.content) !== hash &&
    isBefore(one)
  const found = all.filter(isRival).sort((a, b) => rankOf(b) - rankOf(a) || b.seq - a.seq)
  return found.slice(0, limit).map(({ content: _content, ...head }) => head)
}
