import { expect } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { changeMember } from '../../src/account/organizations/change-member.ts'
import { Refusal } from '../../src/errors.ts'
import { restoreRecord } from '../../src/memory/records/trash/restore.ts'
import { unverifyRecord, verifyRecord } from '../../src/memory/records/verify.ts'
import type { Service } from '../../src/service.ts'
import type { Department } from '../../src/store/account.ts'
import { asActor } from '../as-caller.ts'
import type { Answer, Person } from '../builders/planned-organizations.ts'
import {
  currentHash,
  DEFAULT,
  findRivals,
  findSame,
  found,
  isActive,
  isCurrent,
  isStale,
  isSuperseded,
  type Model,
  type ModelRecord,
  sees,
  toModelRecord,
} from './model.ts'
import type { Decision, Step } from './steps.ts'
import { expectStored } from './stored.ts'

export type World = {
  service: Service
  call: (person: Person, name: string, args: object) => Promise<Answer>
  pass: (milliseconds: number) => void
  people: Person[]
  departments: Department[][]
  model: Model
}

type Named = { id: string }[]
type Saved = {
  id: string
  created: boolean
  refreshed: boolean
  made_stale: number
  superseded: Named
  conflicts_with: Named
}
type Forgotten = { ids: string[]; verified: number; current_again: Named }

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const MINUTE_MS = 60_000
/** Time between two steps: of two saves of one moment nobody can say which was the later. */
const STEP_MS = 10

/**
 * Performs a step, expects the answer that the model gives, changes the model as the step did, and expects the store to
 * hold what the model does.
 */
export async function expectAnswer(world: World, step: Step): Promise<void> {
  const person = world.people[step.who] as Person
  world.pass(STEP_MS)
  if (step.kind === 'pass') return world.pass(step.minutes * MINUTE_MS)
  if (step.kind === 'move') return move(world, person, step.department)
  if (step.kind === 'verify' || step.kind === 'unverify' || step.kind === 'restore') return decide(world, person, step)
  const args = step.kind === 'forget id' ? { id: nthId(world.model, step.nth), ...step.args } : step.args
  const tool = step.kind.startsWith('forget') ? 'forget' : step.kind
  const answer = await world.call(person, tool, args)
  expectNoOtherIds(world.model, person, args, answer)
  const reason = toReason(world.model, person, step, args)
  if (reason !== undefined)
    return expect(answer).toEqual({ isError: true, text: `Error executing tool ${tool}: ${reason}` })
  expect(answer).toMatchObject({ isError: false })
  const { result, hint } = JSON.parse(answer.text)
  if (step.kind === 'remember') await expectSaved(world, person, toSave(world, person, step.args), result)
  if (step.kind === 'search') expectFound(world.model, person, step.args, result, hint)
  if (step.kind === 'validate_memory') expectValidated(world.model, person, step.args, result)
  if (step.kind === 'forget id')
    await expectForgotten(world, person, (record) => record.id === (args as { id: string }).id, result)
  if (step.kind === 'forget source') {
    const matched = ofSource(world.model, person, step.args)
    await expectForgotten(world, person, (record) => matched.includes(record), result)
  }
}

type SourceArguments = { source_id: string; stale?: boolean; workspace?: string }

function ofSource(
  model: Model,
  person: Person,
  { source_id, stale, workspace = DEFAULT }: SourceArguments,
): ModelRecord[] {
  const all = found(model, person, workspace).filter(({ source }) => source === source_id)
  return stale ? all.filter((record) => isStale(model, person, record)) : all
}

const toSave = ({ service, model }: World, person: Person, args: Parameters<typeof toModelRecord>[1]) =>
  toModelRecord(person, args, service.clock.now(), model.records.length)

/** Moves the member who holds a key, and with them every key that they hold. */
async function move(
  { service, people, departments }: World,
  { member }: Person,
  to: number | undefined,
): Promise<void> {
  if (member === undefined) return
  const department = departments.flat().filter(({ accountId }) => accountId === member.accountId)[to ?? -1]
  await changeMember(service, COMMAND_LINE, { member, department: department ?? null })
  for (const person of people) if (person.author === member.id) person.department = department?.id
}

/** What a person decides about a record. Refused exactly where the rules say so. */
async function decide(world: World, person: Person, { kind, nth }: Decision): Promise<void> {
  const { service, model } = world
  const id = nthId(model, nth)
  const caller = await authenticate(service, `Bearer ${person.secret}`)
  const act = { verify: verifyRecord, unverify: unverifyRecord, restore: restoreRecord }[kind]
  const isDone = await act(service, asActor(caller), { projectId: person.project, id }).then(
    () => true,
    (error) => {
      if (!(error instanceof Refusal)) throw error
      return false
    },
  )
  const record = model.records.find((other) => other.id === id && sees(person, other))
  expect(isDone).toBe(record !== undefined && isAllowed(model, record, kind))
  if (record === undefined || !isDone) return
  if (kind === 'verify') record.verifiedAt = service.clock.now()
  if (kind === 'unverify') record.verifiedAt = undefined
  if (kind === 'restore') record.forgotten = false
  await expectStored(world, person.project)
  if (kind === 'verify' && record.given) expect(findRivals(model, record)).toEqual([])
}

function isAllowed(model: Model, record: ModelRecord, kind: Decision['kind']): boolean {
  if (kind === 'restore') return record.forgotten && findSame(model, record) === undefined
  if (!isCurrent(model, record)) return false
  if (kind === 'unverify') return record.verifiedAt !== undefined
  return record.verifiedAt === undefined || (record.given && findRivals(model, record).length > 0)
}

/** The id of a record of any project, or of none. */
function nthId({ records }: Model, nth: number): string {
  return records[nth % (records.length + 1)]?.id ?? '00000000-0000-7000-8000-000000000000'
}

/** No answer, of whatever kind, names a record that its reader may not see, unless the reader named it. */
function expectNoOtherIds({ records }: Model, person: Person, args: object, { text }: Answer): void {
  const hidden = records.filter((record) => !sees(person, record)).map(({ id }) => id)
  const said = JSON.stringify(args)
  for (const [id] of text.matchAll(UUID)) if (!said.includes(id)) expect(hidden).not.toContain(id)
}

/** Why the tool must refuse, if it must. */
function toReason(model: Model, person: Person, step: Step, args: object): string | undefined {
  const { workspace = DEFAULT, id } = args as { workspace?: string; id?: string }
  const named = 'workspace' in args
  if (step.kind === 'remember') {
    const lacks = step.args.scope === 'department' && person.department === undefined
    return lacks ? "scope 'department' needs a department, and this key's holder has none" : undefined
  }
  if (step.kind === 'forget id') {
    const record = model.records.find((other) => other.id === id && !other.forgotten && sees(person, other))
    if (record !== undefined && (!named || record.workspace === workspace)) return undefined
    return !named || isActive(model, person, workspace) ? `no record '${id}'` : `workspace '${workspace}' is not active`
  }
  if (!isActive(model, person, workspace)) return `workspace '${workspace}' is not active`
  if (step.kind === 'forget source') return toSourceReason(model, person, step.args)
  if (step.kind === 'validate_memory') return toElsewhere(model, person, step.args)
  return undefined
}

function toSourceReason(model: Model, person: Person, args: SourceArguments): string | undefined {
  if (ofSource(model, person, args).length > 0) return undefined
  const isAny = ofSource(model, person, { ...args, stale: false }).length > 0
  return `no ${isAny ? 'stale ' : ''}records of source '${args.source_id}'`
}

function toElsewhere(model: Model, person: Person, args: SourceArguments): string | undefined {
  if (ofSource(model, person, { ...args, stale: false }).length > 0) return undefined
  const all = model.records.filter(
    (record) => !record.forgotten && sees(person, record) && record.source === args.source_id,
  )
  const names = [...new Set(all.map(({ workspace }) => `'${workspace}'`))].sort()
  const none = `no records of source '${args.source_id}'`
  return names.length === 0
    ? none
    : `${none}; there are some in the ${names.length === 1 ? 'workspace' : 'workspaces'} ${names.join(', ')}`
}

const currentOf = (model: Model) => new Set(model.records.filter((record) => isCurrent(model, record)))
const staleOf = (model: Model, person: Person, { workspace, source }: ModelRecord) =>
  new Set(
    found(model, person, workspace).filter((record) => record.source === source && isStale(model, person, record)),
  )
const idsOf = (records: Iterable<{ id: string }>) => [...records].map(({ id }) => id).sort()

const RETRY_MS = 10 * MINUTE_MS

async function expectSaved(world: World, person: Person, record: ModelRecord, result: Saved): Promise<void> {
  const { model } = world
  const same = findSame(model, record)
  const [current, stale] = [currentOf(model), staleOf(model, person, record)]
  const first = same?.states.get(record.hash)
  const isRetry = first !== undefined && record.savedAt - first <= RETRY_MS
  const refreshed = same !== undefined && !isRetry && record.hash !== undefined && record.hash !== same.hash
  if (!isRetry) model.saves.push(record)
  if (same === undefined) model.records.push({ ...record, id: result.id })
  else {
    if (refreshed) same.hash = record.hash
    if (first === undefined) same.states.set(record.hash, record.savedAt)
    same.given ||= record.given
  }
  await expectStored(world, person.project)
  const saved = same ?? (model.records.at(-1) as ModelRecord)
  const staleNow = staleOf(model, person, record)
  expect(result).toMatchObject({ id: saved.id, created: same === undefined, refreshed })
  expect(idsOf(result.superseded)).toEqual(idsOf([...current].filter((other) => !isCurrent(model, other))))
  expect(idsOf(result.conflicts_with)).toEqual(
    saved.given ? idsOf(findRivals(model, saved).filter(({ verifiedAt }) => verifiedAt !== undefined)) : [],
  )
  expect(result.made_stale).toBe(
    record.source === undefined ? 0 : [...staleNow].filter((other) => !stale.has(other)).length,
  )
}

type Asked = { workspace?: string; scope?: ModelRecord['scope']; exclude_stale?: boolean }

function expectFound(
  model: Model,
  person: Person,
  args: Asked,
  result: { id: string; stale?: boolean }[],
  hint: unknown,
): void {
  const all = found(model, person, args.workspace ?? DEFAULT)
  const ofScope = all.filter(({ scope }) => args.scope === undefined || scope === args.scope)
  const wanted = ofScope.filter((record) => !args.exclude_stale || !isStale(model, person, record))
  const expected = wanted.map((record) => [record.id, isStale(model, person, record)] as const)
  expect(result.map(({ id, stale = false }) => [id, stale] as const).sort()).toEqual(expected.sort())
  const leftOut = { stale: ofScope.length, other_scope: all.length - ofScope.length }
  expect((hint as { left_out: object } | undefined)?.left_out).toEqual(wanted.length > 0 ? undefined : leftOut)
}

type Validated = { current_hash: string | null; records: { id: string; freshness: string }[] }

function expectValidated(
  model: Model,
  person: Person,
  args: { source_id: string; source_hash?: string; workspace?: string },
  result: Validated,
) {
  const workspace = args.workspace ?? DEFAULT
  const current = currentHash(model, person, workspace, args.source_id)
  const hash = args.source_hash ?? current
  const judge = (record: ModelRecord) => {
    if (isSuperseded(model, record)) return 'stale'
    return record.hash === undefined || hash === undefined ? 'unknown' : record.hash === hash ? 'fresh' : 'stale'
  }
  const expected = found(model, person, workspace).filter(({ source }) => source === args.source_id)
  expect(result.current_hash).toBe(current ?? null)
  expect(result.records.map(({ id, freshness }) => [id, freshness]).sort()).toEqual(
    expected.map((one) => [one.id, judge(one)]).sort(),
  )
}

async function expectForgotten(
  world: World,
  person: Person,
  isMatched: (record: ModelRecord) => boolean,
  result: Forgotten,
): Promise<void> {
  const { model } = world
  const current = currentOf(model)
  const matched = model.records.filter((record) => !record.forgotten && isMatched(record))
  const verified = matched.filter((record) => record.verifiedAt !== undefined && current.has(record)).length
  for (const record of matched) record.forgotten = true
  await expectStored(world, person.project)
  expect([...result.ids].sort()).toEqual(idsOf(matched))
  expect(result.verified).toBe(verified)
  expect(idsOf(result.current_again)).toEqual(idsOf([...currentOf(model)].filter((record) => !current.has(record))))
}
