import { type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { ExpectedSave, ProjectReads, ProjectWrites } from '../../project.ts'
import type { Fact, SavedFields, Source } from '../../record.ts'
import { toContentHash, toKeyHash, toSaveHash } from '../../save-hash.ts'
import { toColumns } from '../../shared/engine.ts'
import type { Workspace } from '../../workspace.ts'
import { texts } from '../among.ts'
import { toText } from '../exact-text.ts'
import type { Row } from '../pipeline.ts'
import { toFields } from '../row.ts'
import { workspaces } from '../schema/project.ts'

const { foldedName: _foldedName, ...columns } = toColumns(workspaces)

/** The columns of a workspace. */
const WORKSPACE = columns

type Verbs = Pick<ProjectReads, 'findWorkspace' | 'listRivals' | 'findCurrentHashes'> & Pick<ProjectWrites, 'findSame'>

/**
 * What the saves of one transaction will ask for, read for all of them at once: their workspaces, and which of the
 * saves, fact keys and sources with a hash are new. An ordinary save is new in all of these, and need not ask whether
 * it is a repeated one, what its rivals are and which state its source has.
 */
export type ReadAhead = {
  /** The statements that read it. */
  begin: (saves: ExpectedSave[]) => SQL[]
  /** Takes their rows. */
  begun: (rows: Row[][]) => void
  /** To be told of each record, and of each source with a hash, that is saved. */
  noteRecord: (record: { saveHash: number; keyHash: number }) => void
  noteSource: (source: Source) => void
  /** Whether a source is known to have no hash of any audience. */
  hasNoHash: (source: Source) => boolean
  /** To be told where workspaces or records change otherwise: from then on every verb asks. */
  clear: () => void
  /** The verbs, which ask the given ones only for what may be there. */
  wrap: (verbs: Verbs) => Verbs
}

const COLUMNS = sql.raw(Object.keys(WORKSPACE).map(toSnakeCase).join(', '))

// What is absent, as the statement names it.
const ofHash = (saveHash: number) => `save ${saveHash}`
const ofKeyHash = (keyHash: number) => `key ${keyHash}`
const toHash = (save: Omit<SavedFields, 'workspaceId'>) => toSaveHash(save, toContentHash(save.content))
const ofSave = (save: SavedFields) => ofHash(toHash(save))
const ofKey = ({ factKey }: Pick<Fact, 'factKey'>) => ofKeyHash(toKeyHash(factKey))
const ofSource = ({ workspaceId, sourceId }: Source) => `source ${workspaceId} ${toText(sourceId)}`

export function createReadAhead(projectId: number): ReadAhead {
  const known = new Map<string, Workspace>()
  const absent = new Set<string>()

  function clear(): void {
    known.clear()
    absent.clear()
  }

  return {
    clear,
    begin: (saves) => {
      clear()
      return saves.length === 0 ? [] : [selectWorkspaces(projectId, saves), selectAbsent(projectId, saves)]
    },
    begun: ([found = [], missing = []]) => {
      for (const row of found) {
        const workspace = toFields(WORKSPACE, row)
        known.set(workspace.name, workspace)
      }
      for (const row of missing) absent.add(String(row.absent))
    },
    noteRecord: ({ saveHash, keyHash }) => {
      absent.delete(ofHash(saveHash))
      absent.delete(ofKeyHash(keyHash))
    },
    noteSource: (source) => void absent.delete(ofSource(source)),
    hasNoHash: (source) => absent.has(ofSource(source)),
    wrap: (verbs) => {
      // A hash of a content takes time by its length.
      const isAbsent = <Of>(nameOf: (of: Of) => string, of: Of) => absent.size > 0 && absent.has(nameOf(of))
      return {
        findSame: async (saved, ...rest) => (isAbsent(ofSave, saved) ? undefined : verbs.findSame(saved, ...rest)),
        listRivals: async (fact, rivals) => (isAbsent(ofKey, fact) ? [] : verbs.listRivals(fact, rivals)),
        findCurrentHashes: async (visible, sources) =>
          sources.every((source) => isAbsent(ofSource, source))
            ? sources.map(() => undefined)
            : verbs.findCurrentHashes(visible, sources),
        findWorkspace: async (name, writtenFor) => {
          if (writtenFor !== undefined) return verbs.findWorkspace(name, writtenFor)
          const found = known.get(name) ?? (await verbs.findWorkspace(name))
          if (found !== undefined) known.set(name, found)
          return found
        },
      }
    },
  }
}

function selectWorkspaces(projectId: number, saves: ExpectedSave[]): SQL {
  const names = [...new Set(saves.map(({ workspace }) => workspace))]
  return sql`select ${COLUMNS} from workspaces where project_id = ${projectId} and name in ${texts(names)} and removed_at is null`
}

/**
 * Each value is looked up as the first one from it on, in the order of its index: the planner takes that index whatever
 * it knows of the tables, which is nothing while a database is new.
 */
function selectAbsent(projectId: number, saves: ExpectedSave[]): SQL {
  const wanted = saves.map((save) => ({
    hash: toHash(save),
    key: toKeyHash(save.factKey),
    source: save.sourceId === null ? null : toText(save.sourceId),
    workspace: save.workspace,
  }))
  return sql`with wanted as (select hash, key, source collate "C" as source, workspace collate "C" as workspace
      from json_to_recordset(${JSON.stringify(wanted)}::text::json) as save (hash bigint, key bigint, source text, workspace text))
    select 'save ' || wanted.hash as absent from wanted
      left join lateral (select save_hash from records where project_id = ${projectId} and key_hash = wanted.key and forgotten_at is null
        and save_hash = wanted.hash order by workspace_id, audience, status, content_hash limit 1) as same on true
      where same.save_hash is null
    union all select 'key ' || wanted.key from wanted
      left join lateral (select key_hash from records where project_id = ${projectId} and key_hash >= wanted.key and forgotten_at is null
        order by key_hash limit 1) as next on true
      where next.key_hash is distinct from wanted.key
    union all select 'source ' || place.id || ' ' || wanted.source from wanted
      join workspaces as place on place.project_id = ${projectId} and place.name = wanted.workspace and place.removed_at is null
      left join lateral (select source_id from sources where project_id = ${projectId} and workspace_id = place.id and source_id >= wanted.source
        order by source_id limit 1) as next on true
      where wanted.source is not null and next.source_id is distinct from wanted.source`
}
