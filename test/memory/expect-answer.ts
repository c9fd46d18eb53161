import { expect } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { moveMember } from '../../src/account/organizations/change-member.ts'
import type { Service } from '../../src/service.ts'
import type { Department } from '../../src/store/account.ts'
import type { Answer, Person } from '../builders/planned-organizations.ts'
import {
  currentHash,
  DEFAULT,
  findRivals,
  findSame,
  found,
  isActive,
  isStale,
  type Model,
  type ModelRecord,
  sees,
  toModelRecord,
} from './model.ts'
import type { Step } from './steps.ts'

type World = {
  service: Service
  call: (person: Person, name: string, args: object) => Promise<Answer>
  people: Person[]
  departments: Department[][]
  model: Model
}

type Result = { id: string; ids: string[]; created: boolean; superseded: { id: string }[]; conflicts_with: { id: string }[] }

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Performs a step, expects the answer that the model gives, and changes the model as the step did. */
export async function expectAnswer(world: World, step: Step): Promise<void> {
  const person = world.people[step.who] as Person
  if (step.kind === 'move') return move(world, person, step.department)
  const args = step.kind === 'forget id' ? { id: nthId(world.model, step.nth), ...step.args } : step.args
  const tool = step.kind.startsWith('forget') ? 'forget' : step.kind
  const answer = await world.call(person, tool, args)
  expectNoOtherIds(world.model, person, args, answer)
  const reason = toReason(world.model, person, step, args)
  if (reason !== undefined) return expect(answer).toEqual({ isError: true, text: `Error executing tool ${tool}: ${reason}` })
  expect(answer).toMatchObject({ isError: false })
  const { result, hint } = JSON.parse(answer.text)
  if (step.kind === 'remember') expectSaved(world.model, toModelRecord(person, step.args), result)
  if (step.kind === 'search') expectFound(world.model, person, step.args, result, hint)
  if (step.kind === 'validate_memory') expectValidated(world.model, person, step.args, result)
  if (step.kind === 'forget id') expectForgotten(world.model, (record) => record.id === (args as { id: string }).id, result)
  if (step.kind === 'forget source') {
    const matched = found(world.model, person, step.args.workspace ?? DEFAULT).filter(({ source }) => source === step.args.source_id)
    expectForgotten(world.model, (record) => matched.includes(record), result)
  }
}

/** Moves the member who holds a key, and with them every key that they hold. */
async function move({ service, people, departments }: World, { member }: Person, to: number | undefined): Promise<void> {
  if (member === undefined) return
  const department = departments.flat().filter(({ accountId }) => accountId === member.accountId)[to ?? -1]
  await moveMember(service, COMMAND_LINE, { member, department })
  for (const person of people) if (person.author === member.id) person.department = department?.id
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
    return isActive(model, person, workspace) ? `no record '${id}'` : `workspace '${workspace}' is not active`
  }
  if (!isActive(model, person, workspace)) return `workspace '${workspace}' is not active`
  if (step.kind !== 'forget source') return undefined
  const some = found(model, person, workspace).some(({ source }) => source === step.args.source_id)
  return some ? undefined : `no records of source '${step.args.source_id}'`
}

function expectSaved(model: Model, record: ModelRecord, result: Result): void {
  const same = findSame(model, record)
  const rivals = same === undefined ? findRivals(model, record) : []
  expect(result.created).toBe(same === undefined)
  expect(result.superseded.map(({ id }) => id).sort()).toEqual(rivals.map(({ id }) => id).sort())
  expect(result.conflicts_with).toEqual([])
  if (same !== undefined) expect(result.id).toBe(same.id)
  for (const rival of rivals) rival.superseded = true
  model.saves.push(record)
  if (same === undefined) model.records.push({ ...record, id: result.id })
}

type Asked = { workspace?: string; scope?: ModelRecord['scope']; exclude_stale?: boolean }

function expectFound(model: Model, person: Person, args: Asked, result: { id: string; stale: boolean }[], hint: unknown): void {
  const all = found(model, person, args.workspace ?? DEFAULT)
  const ofScope = all.filter(({ scope }) => args.scope === undefined || scope === args.scope)
  const wanted = ofScope.filter((record) => !args.exclude_stale || !isStale(model, person, record))
  const expected = wanted.map((record) => [record.id, isStale(model, person, record)] as const)
  expect(result.map(({ id, stale }) => [id, stale] as const).sort()).toEqual(expected.sort())
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
  const judge = (record: ModelRecord) =>
    record.superseded ? 'stale' : record.hash === undefined || hash === undefined ? 'unknown' : record.hash === hash ? 'fresh' : 'stale'
  const expected = found(model, person, workspace).filter(({ source }) => source === args.source_id)
  expect(result.current_hash).toBe(current ?? null)
  expect(result.records.map(({ id, freshness }) => [id, freshness]).sort()).toEqual(expected.map((one) => [one.id, judge(one)]).sort())
}

function expectForgotten({ records }: Model, isMatched: (record: ModelRecord) => boolean, result: Result): void {
  const matched = records.filter((record) => !record.forgotten && isMatched(record))
  expect([...result.ids].sort()).toEqual(matched.map(({ id }) => id).sort())
  for (const record of matched) record.forgotten = true
}
