import type { Person } from './organization.ts'
import type { Remember, Scope } from './steps.ts'

/** A record as the model keeps it. */
export type Kept = {
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

/** The whole rule: the same project, and shared, or one's own draft, or of one's own department. */
export function sees(person: Person, { project, scope, author, department }: Kept): boolean {
  if (project !== person.project) return false
  if (scope === 'draft') return author === person.author
  return scope === 'shared' || (department !== undefined && department === person.department)
}

/** What is expected to stand in the project files. Saves are kept too: the last one seen tells a source's current hash. */
export type Model = { records: Kept[]; saves: Kept[] }

export const DEFAULT = 'default'

export const isActive = ({ records }: Model, person: Person, workspace: string): boolean =>
  records.some((record) => record.workspace === workspace && sees(person, record))

/** What the person may find in a workspace. */
export const found = ({ records }: Model, person: Person, workspace: string): Kept[] =>
  records.filter((record) => record.workspace === workspace && !record.forgotten && sees(person, record))

export function currentHash({ saves }: Model, person: Person, workspace: string, source: string): string | undefined {
  const of = saves.filter((save) => save.workspace === workspace && save.source === source && save.hash !== undefined)
  return of.findLast((save) => sees(person, save))?.hash
}

export function isStale(model: Model, person: Person, record: Kept): boolean {
  if (record.superseded) return true
  if (record.source === undefined || record.hash === undefined) return false
  return record.hash !== currentHash(model, person, record.workspace, record.source)
}

/** The record a save would make. */
export function toKept(person: Person, args: Remember): Kept {
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

/** Whether two records are for the same readers. */
function sameReaders(a: Kept, b: Kept): boolean {
  const same = a.project === b.project && a.workspace === b.workspace && a.scope === b.scope
  return same && (a.scope === 'shared' || (a.scope === 'draft' ? a.author === b.author : a.department === b.department))
}

const isCurrent = ({ superseded, forgotten }: Kept) => !superseded && !forgotten

export function findSame({ records }: Model, record: Kept): Kept | undefined {
  const fields = ['author', 'content', 'factKey', 'source', 'hash'] as const
  return records.find((other) => isCurrent(other) && sameReaders(other, record) && fields.every((name) => other[name] === record[name]))
}

export function findRivals({ records }: Model, record: Kept): Kept[] {
  if (record.factKey === undefined) return []
  const rivals = records.filter((other) => isCurrent(other) && other.factKey === record.factKey && sameReaders(other, record))
  return rivals.filter((other) => other.content !== record.content)
}
