import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createCalls, makeOrganizations } from '../builders/planned-organizations.ts'
import { openTestService, startService } from '../start-service.ts'
import { expectAnswer } from './expect-answer.ts'
import type { Model } from './model.ts'
import { everyQuestion, moveStep, plan, step } from './steps.ts'
import { expectStored } from './stored.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

const RUNS = 50
/** After this time the search for a smaller failing example ends. */
const MAX_RUN_MS = 90_000
const steps = fc.array(fc.oneof({ weight: 12, arbitrary: step }, { weight: 1, arbitrary: moveStep }), {
  minLength: 1,
  maxLength: 40,
  size: 'max',
})

test('answers every caller of every tool as if nothing but what they may see were there', async () => {
  const { service, pass } = running
  const call = createCalls(service)
  const property = fc.asyncProperty(plan, steps, async (keys, acts) => {
    const { projects, departments, people } = await makeOrganizations(service, keys)
    const model: Model = { records: [], saves: [] }
    const world = { service, call, pass, people, departments, model }
    for (const act of acts) await expectAnswer(world, act)
    for (const question of everyQuestion()) await expectAnswer(world, question)
    for (const { id } of projects) await expectStored(world, id)
  })
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MAX_RUN_MS })
})

test('a reader of no audience finds nothing, by whatever read', async () => {
  const { call, service, project } = await startService()
  await call('remember', { content: 'the well is deep', source_id: 's', source_hash: '1' })
  const reads = service.store.project(project.id)
  const [record] = await reads.listRecords({ visible: undefined })
  expect(record).toBeDefined()
  expect(await reads.findRecord([], record?.id ?? '')).toBeUndefined()
  expect(await reads.listRecords({ visible: [] })).toEqual([])
  expect(await reads.findRecordsBySeq([], [record?.seq ?? 0])).toEqual([])
  expect(await reads.findCurrentHashes([], [{ workspaceId: record?.workspaceId ?? 0, sourceId: 's' }])).toEqual([
    undefined,
  ])
  expect(await reads.findWorkspace('default', [])).toBeUndefined()
})
