import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { authorNames } from '../../../src/account/auth/caller.ts'
import type { Service } from '../../../src/service.ts'
import type { StoredRecord } from '../../../src/store/record.ts'
import { createCalls, makeOrganizations, type Person } from '../../builders/planned-organizations.ts'
import { insertRecords } from '../../builders/records.ts'
import { openTestService } from '../../start-service.ts'
import { plan, step } from '../steps.ts'
import { narrowQuestion, type Question, question } from './questions.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

const RUNS = 25
/** After this time the search for a smaller failing example ends. */
const MAX_RUN_MS = 90_000
/** Queries with typing errors, whose corrections the reference does not know. */
const MISTYPED = ['coper', 'latern of bras', 'tochr']
const FUNCTION_WORDS = ['of']
const DAY_MS = 24 * 60 * 60 * 1_000

/** A stored record with what is looked up for it. */
type Row = StoredRecord & { workspace: string; author: string; stale: boolean }

/**
 * Every record of a project that a person may see and that is not forgotten, as the store lists them, without any
 * index.
 */
async function readRows(service: Service, { project: id, author, department }: Person): Promise<Row[]> {
  const project = service.store.project(id)
  const visible = ['*', `a:${author}`, ...(department === undefined ? [] : [`d:${department}`])]
  const records = (await project.listRecords({ visible: undefined })).filter(({ audience }) =>
    visible.includes(audience),
  )
  const names = new Map(
    (await project.listWorkspaces(undefined, { limit: 99 })).map((workspace) => [workspace.id, workspace.name]),
  )
  const authors = await authorNames(service, new Set(records.map(({ authorId }) => authorId)))
  const rows: Row[] = []
  for (const record of records) {
    const { workspaceId, sourceId, sourceHash, status, authorId } = record
    const current =
      sourceId === null ? undefined : (await project.findCurrentHashes(visible, [{ workspaceId, sourceId }]))[0]
    const stale = status === 'superseded' || (sourceHash !== null && sourceHash !== current)
    rows.push({ ...record, stale, workspace: names.get(workspaceId) ?? '', author: authors.get(authorId) ?? '' })
  }
  return rows
}

const savedAt = ({ refreshedAt, createdAt }: Row) => refreshedAt ?? createdAt
const scopeOf = ({ audience }: Row) =>
  audience === '*' ? 'shared' : audience.startsWith('d:') ? 'department' : 'draft'
const wordsOf = ({ query }: Question) => query.split(' ').filter((word) => !FUNCTION_WORDS.includes(word))
const isOfKey = ({ factKey }: Row, key: string) => factKey.trim().toLowerCase() === key
const isNamed = (row: Row, { query }: Question) => isOfKey(row, query) || row.sourceId === query
const wordsIn = ({ content, askedAs }: Row) => `${content} ${askedAs ?? ''}`.split(/[ .\n]+/)

const isIn = (row: Row, { workspace = 'default' }: Question) => workspace === '*' || row.workspace === workspace
const isOfScope = (row: Row, { scope }: Question) => scope === undefined || scopeOf(row) === scope

function passes(row: Row, { exclude_stale, source_id, fact_key, author, status, since, until }: Question): boolean {
  return (
    !(exclude_stale && row.stale) &&
    (source_id === undefined || row.sourceId === source_id) &&
    (fact_key === undefined || isOfKey(row, fact_key)) &&
    (author === undefined || row.author.toLowerCase() === author.toLowerCase()) &&
    (status === undefined || row.status === status) &&
    (since === undefined || savedAt(row) >= Date.parse(since)) &&
    (until === undefined || savedAt(row) < Date.parse(until) + DAY_MS)
  )
}

const matches = (row: Row, asked: Question) =>
  asked.query === '*' || isNamed(row, asked) || wordsOf(asked).some((word) => wordsIn(row).includes(word))

type Answer = {
  result: { id: string; score: number; author: string; workspace: string }[]
  more?: true
  next_offset?: number
  hint?: { words_not_found?: string[]; left_out?: object; other_workspaces?: string[] }
}

function expectAnswer(rows: Row[], asked: Question, { result, more, next_offset, hint }: Answer): void {
  const { limit = 10, offset = 0, query } = asked
  const here = rows.filter((row) => isIn(row, asked) && matches(row, asked))
  const wanted = here.filter((row) => isOfScope(row, asked) && passes(row, asked))
  const most = Math.max(0, Math.min(limit, wanted.length - offset))
  const mayBeShort = asked.limit === undefined && offset === 0 && query !== '*'
  expect(result.length).toBeWithin(mayBeShort ? Math.min(5, most) : most, most + 1)
  const next = offset + result.length
  expect([more, next_offset]).toEqual(wanted.length <= next ? [undefined, undefined] : [true, next])
  const ids = result.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(wanted.map((row) => row.id)).toContain(id)
  expect(result.map(({ score }) => score)).toEqual(result.map(({ score }) => score).toSorted((a, b) => b - a))
  const ordered = wanted.toSorted((a, b) => savedAt(b) - savedAt(a) || b.seq - a.seq)
  if (query === '*') expect(ids).toEqual(ordered.slice(offset, offset + limit).map(({ id }) => id))
  const named = ordered.filter((row) => isNamed(row, asked)).toSorted((a, b) => Number(a.stale) - Number(b.stale))
  const isFirst = named.slice(offset, offset + limit).map(({ id }) => id)
  expect(ids.slice(0, isFirst.length)).toEqual(isFirst)
  if (named.length > 0) expect(hint?.words_not_found).toBeUndefined()
  else if (query !== '*' && !query.includes('.')) expectUnknown(rows, asked, hint)
  if (result.length === 0 && wanted.length === 0 && here.length <= MAX_COUNTED) expectLeftOut(rows, asked, here, hint)
}

function expectUnknown(rows: Row[], asked: Question, hint: Answer['hint']): void {
  const texts = rows.filter((row) => isIn(row, asked) && isOfScope(row, asked)).map(wordsIn)
  const unknown = wordsOf(asked).filter((word) => !texts.some((words) => words.includes(word)))
  expect(hint?.words_not_found ?? []).toEqual(unknown)
}

function expectLeftOut(rows: Row[], asked: Question, here: Row[], hint: Answer['hint']): void {
  const isWhole = (row: Row) => isOfScope(row, asked)
  const ofScope = here.filter(isWhole)
  const stale = asked.exclude_stale ? ofScope.filter((row) => row.stale).length : 0
  const other = ofScope.length - stale
  expect(hint?.left_out).toEqual({ stale, other_scope: here.length - ofScope.length, ...(other > 0 && { other }) })
  const elsewhere = rows.filter(
    (row) => !isIn(row, asked) && isOfScope(row, asked) && matches(row, asked) && passes(row, asked),
  )
  expect(hint?.other_workspaces ?? []).toEqual([...new Set(elsewhere.map(({ workspace }) => workspace))].sort())
}

/** Enough other records that the index of the store is asked and not only memory. */
const FILLERS = Array.from({ length: 70 }, (_, at) => ({ content: `filler number ${at}` }))
/** Records that the filters left out are counted up to so many. */
const MAX_COUNTED = 50

test('finds what a look through all records finds, for every caller and any arguments', async () => {
  const { service, pass } = running
  const call = createCalls(service)
  /** Most keys are of one project, so that much of what is saved meets. */
  const plans = plan.map((one) => ({
    ...one,
    keys: one.keys.map((key, at) => (at < 6 ? { ...key, project: 0 } : key)),
  }))
  const acts = fc.array(step, { minLength: 40, maxLength: 120, size: 'max' })
  const questions = fc.array(fc.oneof({ weight: 1, arbitrary: question }, { weight: 6, arbitrary: narrowQuestion }), {
    minLength: 30,
    maxLength: 30,
    size: 'max',
  })
  const property = fc.asyncProperty(plans, acts, questions, fc.boolean(), async (keys, steps, asked, isFilled) => {
    const { people, projects } = await makeOrganizations(service, keys)
    if (isFilled) for (const project of projects) await insertRecords({ ...running, project }, FILLERS)
    for (const act of steps) {
      pass(steps.length % 2)
      if (act.kind === 'remember') await call(people[act.who] as Person, 'remember', act.args)
      if (act.kind === 'forget source') await call(people[act.who] as Person, 'forget', act.args)
    }
    for (const [at, one] of asked.entries()) {
      if (MISTYPED.includes(one.query)) continue
      const person = people[at % people.length] as Person
      const rows = await readRows(service, person)
      const { text, isError } = await call(person, 'search', one)
      if (!isError) expectAnswer(rows, one, JSON.parse(text))
      else expect(text).toMatch(/is not active|since must not be after until/)
    }
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MAX_RUN_MS })
})
