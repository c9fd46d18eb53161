import type { Person } from '../builders/planned-organizations.ts'
import type { Remember, Scope } from './steps.ts'

/** A record in the model: the part of a record that visibility, supersession and freshness depend on. */
export type ModelRecord = {
  id: string
  project: string
  author: string
  department: string | undefined
  workspace: string
  scope: Scope
  content: string
  factKey: string | undefined
  source: string | undefined
  hash: string | undefined
  superseded: boolean
  forgotten: boolean
}

/** The rule of visibility: a record of the same project that is shared, one's own draft, or of one's own department. */
export function sees(person: Person, { project, scope, author, department }: ModelRecord): boolean {
  if (project !== person.project) return false
  if (scope === 'draft') return author === person.author
  return scope === 'shared' || (department !== undefined && department === person.department)
}

/** The records that the projects are expected to hold, and every save: the last visible save of a source determines its current hash. */
export type Model = { records: ModelRecord[]; saves: ModelRecord[] }

export const DEFAULT = 'default'

export const isActive = ({ records }: Model, person: Person, workspace: string): boolean =>
  records.some((record) => record.workspace === workspace && sees(person, record))

/** The records of a workspace that a person may find. */
export const found = ({ records }: Model, person: Person, workspace: string): ModelRecord[] =>
  records.filter((record) => record.workspace === workspace && !record.forgotten && sees(person, record))

export function currentHash({ saves }: Model, person: Person, workspace: string, source: string): string | undefined {
  const of = saves.filter((save) => save.workspace === workspace && save.source === source && save.hash !== undefined)
  return of.findLast((save) => sees(person, save))?.hash
}

export function isStale(model: Model, person: Person, record: ModelRecord): boolean {
  if (record.superseded) return true
  if (record.source === undefined || record.hash === undefined) return false
  return record.hash !== currentHash(model, person, record.workspace, record.source)
}

/** The record that a save makes where there is no same one. */
export function toModelRecord(person: Person, args: Remember): ModelRecord {
  const { project, author, department } = person
  return {
    id: '',
    project,
    author,
    department,
    workspace: args.workspace ?? DEFAULT,
    scope: args.scope ?? 'shared',
    content: args.content,
    factKey: args.fact_key,
    source: args.source_id,
    hash: args.source_hash,
    superseded: false,
    forgotten: false,
  }
}

/** Whether two records have the same workspace and audience. */
function sameReaders(a: ModelRecord, b: ModelRecord): boolean {
  const same = a.project === b.project && a.workspace === b.workspace && a.scope === b.scope
  return same && (a.scope === 'shared' || (a.scope === 'draft' ? a.author === b.author : a.department === b.department))
}

const isCurrent = ({ superseded, forgotten }: ModelRecord) => !superseded && !forgotten

export function findSame({ records }: Model, record: ModelRecord): ModelRecord | undefined {
  const fields = ['author', 'content', 'factKey', 'source', 'hash'] as const
  return records.find((other) => isCurrent(other) && sameReaders(other, record) && fields.every((name) => other[name] === record[name]))
}

export function findRivals({ records }: Model, record: ModelRecord): ModelRecord[] {
  if (record.factKey === undefined) return []
  const rivals = records.filter((other) => isCurrent(other) && other.factKey === record.factKey && sameReaders(other, record))
  return rivals.filter((other) => other.content !== record.content)
}
