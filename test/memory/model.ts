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
  /** As it is compared. */
  key: string
  given: boolean
  source: string | undefined
  hash: string | undefined
  /** Milliseconds since 1970; `number` counts all saves. */
  savedAt: number
  number: number
  verifiedAt: number | undefined
  /** When it was first saved under each of its hashes. */
  states: Map<string | undefined, number>
  forgotten: boolean
  /** Of two verified records the one that a person chose last supersedes the other; whether it does so now. */
  outvoted: boolean
}

/** The rule of visibility: a record of the same project that is shared, one's own draft, or of one's own department. */
export function sees(person: Person, { project, scope, author, department }: ModelRecord): boolean {
  if (project !== person.project) return false
  if (scope === 'draft') return author === person.author
  return scope === 'shared' || (department !== undefined && department === person.department)
}

/**
 * The records that the projects are expected to hold, and every save that says which state its source has: the last
 * visible one determines its current hash.
 */
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
  if (isSuperseded(model, record)) return true
  if (record.source === undefined || record.hash === undefined) return false
  return record.hash !== currentHash(model, person, record.workspace, record.source)
}

const compared = (text: string) => text.trim().toLowerCase()

/** The record that a save makes where there is no same one. */
export function toModelRecord(person: Person, args: Remember, savedAt: number, number: number): ModelRecord {
  const { project, author, department } = person
  return {
    id: '',
    project,
    author,
    department,
    workspace: args.workspace ?? DEFAULT,
    scope: args.scope ?? 'shared',
    content: compared(args.content).replace(/\.$/, ''),
    key: compared(args.fact_key ?? args.content.trim().replace(/\.$/, '').replaceAll(' ', '-')),
    given: args.fact_key !== undefined,
    source: args.source_id,
    hash: args.source_hash,
    savedAt,
    number,
    verifiedAt: undefined,
    states: new Map([[args.source_hash, savedAt]]),
    forgotten: false,
    outvoted: false,
  }
}

/** Whether two records have the same workspace and audience. */
function sameReaders(a: ModelRecord, b: ModelRecord): boolean {
  const same = a.project === b.project && a.workspace === b.workspace && a.scope === b.scope
  return same && (a.scope === 'shared' || (a.scope === 'draft' ? a.author === b.author : a.department === b.department))
}

const sameFact = (a: ModelRecord, b: ModelRecord) => a !== b && a.key === b.key && sameReaders(a, b)

function isSame(a: ModelRecord, b: ModelRecord): boolean {
  return (
    sameFact(a, b) &&
    a.content === b.content &&
    a.source === b.source &&
    (a.source !== undefined || a.author === b.author)
  )
}

/** Whether `other` has a later rank: when it was verified, or else saved, and in which order. */
function isLater(other: ModelRecord, record: ModelRecord): boolean {
  const [at, than] = [other.verifiedAt ?? other.savedAt, record.verifiedAt ?? record.savedAt]
  return at > than || (at === than && other.number > record.number)
}

/**
 * What supersedes a record: one of its fact with a given key that says something else and is later, or the same save,
 * made again while this one was superseded. Of two that a person verified, the one chosen last.
 */
export function isSuperseded({ records }: Model, record: ModelRecord): boolean {
  if (record.verifiedAt !== undefined) return record.outvoted
  const live = records.filter((other) => !other.forgotten && sameFact(other, record))
  const contradicts = (other: ModelRecord) => other.given && other.content !== record.content && isLater(other, record)
  const repeats = (other: ModelRecord) =>
    isSame(other, record) && (other.verifiedAt !== undefined || other.number > record.number)
  return live.some((other) => contradicts(other) || repeats(other))
}

export const isCurrent = (model: Model, record: ModelRecord) => !record.forgotten && !isSuperseded(model, record)

export const findSame = (model: Model, record: ModelRecord): ModelRecord | undefined =>
  model.records.find((other) => isSame(other, record) && isCurrent(model, other))

/** Current records of a fact that say something else. */
export const findRivals = (model: Model, record: ModelRecord): ModelRecord[] =>
  model.records.filter(
    (other) => sameFact(other, record) && other.content !== record.content && isCurrent(model, other),
  )
