import { expect, test } from 'bun:test'
import { eraseOld, writeUses } from '../../../src/account/upkeep.ts'
import { createCallUses, toDay, USE_DAYS } from '../../../src/account/usage/call-uses.ts'
import { DAY_MS } from '../../../src/clock.ts'
import type { Service } from '../../../src/service.ts'
import { startGateway } from '../../gateway/start-gateway.ts'
import { startUpstream, tool } from '../../gateway/upstreams.ts'
import { startService } from '../../start-service.ts'

/** How often each tool was called, by outcome: `search ok 2`. */
async function readCounts(service: Service, projectId: string): Promise<string[]> {
  await writeUses(service)
  const today = toDay(service.clock.now())
  const days = { fromDay: today - 2 * USE_DAYS, untilDay: today }
  const counts = await service.store.control.countUse({ projectIds: [projectId], ...days }, ['tool', 'outcome'])
  return counts.map(({ tool, outcome, calls }) => `${tool} ${outcome} ${calls}`).toSorted()
}

test('each call is counted by its day, project, tool, key and outcome, and nothing of what was said', async () => {
  const { service, call, as, org, project, key, pass } = await startService()
  const other = await org.issueKey({ label: 'other' })
  await call('remember', { content: 'The build runs on Bun' })
  await call('remember', { content: '' })
  await call('search', { query: 'bun' })
  await call('search', { query: 'bun' })
  await as(other.secret).call('search', { query: 'bun' })
  pass(DAY_MS)
  await call('search', { query: 'bun' })
  await writeUses(service)
  const today = toDay(service.clock.now())
  const counts = await service.store.control.countUse(
    { projectIds: [project.id], fromDay: today - 1, untilDay: today },
    ['projectId', 'day', 'tool', 'keyId', 'outcome', 'durationMs'],
  )
  const common = { projectId: project.id, durationMs: 10 }
  expect(counts).toHaveLength(5)
  expect(counts).toEqual(
    expect.arrayContaining([
      { ...common, day: today - 1, tool: 'remember', keyId: key.id, outcome: 'ok', calls: 1 },
      { ...common, day: today - 1, tool: 'remember', keyId: key.id, outcome: 'refused', calls: 1 },
      { ...common, day: today - 1, tool: 'search', keyId: key.id, outcome: 'ok', calls: 2 },
      { ...common, day: today - 1, tool: 'search', keyId: other.key.id, outcome: 'ok', calls: 1 },
      { ...common, day: today, tool: 'search', keyId: key.id, outcome: 'ok', calls: 1 },
    ]),
  )
})

test('a call of another server’s tool is counted once, under the name that it has there, whichever way it was called', async () => {
  const answers: unknown[] = [
    { content: [] },
    { content: [] },
    { content: [], isError: true },
    new Response('', { status: 500 }),
  ]
  const upstream = startUpstream({
    'tools/list': () => ({ tools: [tool('echo'), tool('wipe', { annotations: {} })] }),
    'tools/call': () => answers.shift(),
  })
  const { service, raw, call, project } = await startGateway({ url: upstream.url })
  await raw('hub.echo')
  await call('gateway_call', { integration: 'hub', tool: 'echo' })
  await raw('hub.echo')
  await raw('hub.echo')
  await call('gateway_call', { integration: 'hub', tool: 'wipe' })
  await call('gateway_call', { integration: 'hub', tool: 'made up' })
  await call('gateway_call', { integration: 'made-up', tool: 'echo' })
  await raw('made.up')
  expect(await readCounts(service, project.id)).toEqual([
    'gateway_call refused 1',
    'hub refused 2',
    'hub.echo failed 2',
    'hub.echo ok 2',
    'unknown refused 1',
  ])
})

test('durations are kept by bounds, and what was taken to be written is not taken again', () => {
  const uses = createCallUses()
  const use = { projectId: 'p', keyId: 'k', tool: 'search', outcome: 'ok' as const, at: DAY_MS }
  for (const milliseconds of [0, 10, 10.1, 51, 4e6]) uses.add({ ...use, milliseconds })
  expect(uses.take(3).map(({ durationMs, calls, day }) => [durationMs, calls, day])).toEqual([
    [10, 2, 1],
    [50, 1, 1],
    [100, 1, 1],
  ])
  expect(uses.take(3).map(({ durationMs }) => durationMs)).toEqual([3_600_000])
  expect(uses.take(3)).toEqual([])
})

test('counts are kept for 400 days', async () => {
  const { service, call, project, pass } = await startService()
  await call('search', { query: 'x' })
  expect(await readCounts(service, project.id)).toEqual(['search refused 1'])
  pass(USE_DAYS * DAY_MS)
  await eraseOld(service, service.clock.now(), () => false)
  expect(await readCounts(service, project.id)).toHaveLength(1)
  pass(DAY_MS)
  await eraseOld(service, service.clock.now(), () => false)
  expect(await readCounts(service, project.id)).toEqual([])
})
