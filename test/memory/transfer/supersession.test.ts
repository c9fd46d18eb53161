import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { purgeTrash } from '../../../src/memory/records/trash/purge.ts'
import { restoreRecord } from '../../../src/memory/records/trash/restore.ts'
import { verifyRecord } from '../../../src/memory/records/verify.ts'
import type { Entry } from '../../../src/memory/transfer/entry.ts'
import { forgetAs, rememberAs } from '../../as-caller.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'
import { importAll } from './import-all.ts'

const NOON = Date.UTC(2026, 0, 15, 12)
const toId = (name: string) => `01a1f8ce-2ed7-71b5-91e5-00000000000${'ABCD'.indexOf(name)}`

/** A line of the fact `region` that was saved some seconds after noon, and the one that superseded it. */
const line = (name: string, second: number, by?: string): Entry => ({
  id: toId(name),
  content: `The region is ${name}`,
  fact_key: 'region',
  created_at: new Date(NOON + second * 1_000).toISOString(),
  ...(by === undefined ? { status: 'unverified' } : { status: 'superseded', superseded_by: toId(by) }),
})

/** A running service, imports into it, and what supersedes which record of its project. */
async function start() {
  const running = await startService()
  const records = running.service.store.project(running.project.id)
  const found = async () => {
    const all = await records.listRecords({ visible: undefined })
    const nameOf = (id: string | null) => all.find((record) => record.id === id)?.content.at(-1)
    return Object.fromEntries(all.map(({ id, status, supersededBy }) => [nameOf(id), nameOf(supersededBy) ?? status]))
  }
  return { ...running, records, found, importAll: (entries: Entry[]) => importAll(running, entries) }
}

/** All orders of some lines. */
function ordersOf<Line>(lines: Line[]): Line[][] {
  if (lines.length < 2) return [lines]
  return lines.flatMap((first) => ordersOf(lines.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}

test('what a file says of supersession holds in any order of its lines, also where the clock was set back between the saves', async () => {
  const lines = [line('A', 3, 'B'), line('B', 2, 'C'), line('C', 1)]
  for (const order of ordersOf(lines)) {
    const { importAll, found, call } = await start()
    expect(await importAll(order)).toMatchObject({ saved: 3 })
    expect(await found()).toEqual({ A: 'B', B: 'C', C: 'unverified' })
    expect(await call('search', { query: 'region', exclude_stale: true })).toMatchObject({
      structured: { result: [{ id: toId('C') }] },
    })
  }
})

test('an imported fact whose times contradict each other supersedes what is there and earlier than all of it', async () => {
  const { importAll, found } = await start()
  await importAll([line('D', 2)])
  await importAll([line('A', 3, 'B'), line('B', 1)])
  expect(await found()).toEqual({ A: 'B', B: 'unverified', D: 'B' })
})

test('what a later file says of a record that is there holds as well, in any order of its lines and whatever the times', async () => {
  const lines = [line('A', 3, 'B'), line('B', 2, 'C'), line('C', 1)]
  for (const order of [...ordersOf(lines), ...ordersOf(lines.slice(1))]) {
    const { importAll, found } = await start()
    await importAll([line('A', 3, 'B'), line('B', 2)])
    expect(await importAll(order)).toMatchObject({ saved: 1 })
    expect(await found()).toEqual({ A: 'B', B: 'C', C: 'unverified' })
  }
})

test('what a later file says of a record that is there does not hold against a person who verified it since, nor for a record that is not there', async () => {
  const { importAll, found, service, project } = await start()
  await importAll([line('A', 1)])
  await importAll([line('A', 1, 'C')])
  expect(await found()).toEqual({ A: 'unverified' })
  await verifyRecord(service, COMMAND_LINE, { projectId: project.id, id: toId('A') })
  await importAll([line('A', 1, 'B'), line('B', 2)])
  expect(await found()).toEqual({ A: 'verified', B: 'unverified' })
})

test('of records that a file says to supersede each other in a circle, one is current', async () => {
  for (const order of ordersOf([line('A', 1, 'B'), line('B', 2, 'C'), line('C', 3, 'A')])) {
    const { importAll, found } = await start()
    await importAll(order)
    expect(Object.values(await found()).filter((status) => status === 'unverified')).toHaveLength(1)
  }
})

test('a record saved with a clock that was set back is current again when what superseded it is forgotten', async () => {
  const { service, account, project, owner, found, pass } = await start()
  const caller = actingAs(account, project, owner)
  const save = (name: string) => rememberAs(service, caller, { content: `The region is ${name}`, fact_key: 'region' })
  await save('A')
  pass(-1_000)
  await save('B')
  pass(-1_000)
  const { id } = await save('C')
  await forgetAs(service, caller, { id })
  expect(await found()).toEqual({ A: 'B', B: 'unverified' })
})

test('a record that comes back, and was saved between two whose times contradict what they supersede, closes no circle', async () => {
  const { service, account, project, owner, found, pass } = await start()
  const caller = actingAs(account, project, owner)
  const save = (name: string) => rememberAs(service, caller, { content: `The region is ${name}`, fact_key: 'region' })
  const { id } = await save('D')
  await forgetAs(service, caller, { id })
  pass(1_000)
  await save('A')
  pass(-2_000)
  await save('B')
  await restoreRecord(service, COMMAND_LINE, { projectId: project.id, id })
  expect(await found()).toEqual({ A: 'B', B: 'unverified', D: 'A' })
})

test('an import that was cut off before it decided which record of a fact is current decides it when it is run again', async () => {
  const running = await start()
  await running.importAll([line('D', 5)])
  const file = [line('A', 1), line('B', 2)]
  const cutOff = importAll(running, file, () => {
    throw new Error('cut off')
  })
  await expect(cutOff).rejects.toThrow('cut off')
  expect(await running.found()).toMatchObject({ B: 'unverified', D: 'unverified' })
  expect(await running.importAll(file)).toMatchObject({ saved: 0 })
  expect(await running.found()).toEqual({ A: 'D', B: 'D', D: 'unverified' })
})

/** A project as a crash may leave it: a record of a fact is superseded by one that was erased. */
async function startWithOrphan() {
  const running = await start()
  await running.importAll([line('A', 2)])
  await running.service.store.project(running.project.id).write((tx) => tx.supersede(toId('A'), toId('B')))
  expect(await running.found()).toEqual({ A: 'superseded' })
  return running
}

test('a record whose superseder is no more is settled by the next purge', async () => {
  const { service, found } = await startWithOrphan()
  await purgeTrash(service)
  expect(await found()).toEqual({ A: 'unverified' })
})

test('doctor finds a fact without a current record, and settles it', async () => {
  const { service, found, project } = await startWithOrphan()
  const { memsvc } = commandsBeside(service)
  const { out } = await memsvc('doctor')
  expect(out).toContain(`facts of '${project.name}'`)
  expect(out).toContain('1 fact had no current record, and has one again')
  expect(await found()).toEqual({ A: 'unverified' })
  expect((await memsvc('doctor')).out).not.toContain('no current record')
})
