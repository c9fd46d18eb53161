import { expect, onTestFinished, test } from 'bun:test'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { listUnagreed } from '../../../../src/agent/histories/sync/folders.ts'
import { LEASE_MS } from '../../../../src/agent/histories/sync/lease.ts'
import type { SyncReport } from '../../../../src/agent/histories/sync/report.ts'
import { readSyncSettings } from '../../../../src/agent/histories/sync/settings.ts'
import { startSyncSupervisor } from '../../../../src/agent/histories/sync/supervisor.ts'
import { wakeUploads } from '../../../../src/agent/histories/sync/wake.ts'
import { createServiceClient } from '../../../../src/agent/service-client.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { waitUntil } from '../../../wait-until.ts'
import { startAgent } from '../../start-agent.ts'
import { openMachine, toLine, writeFileIn } from './machine.ts'
import { createSyncEndpoint } from './sync-endpoint.ts'

async function openAgents(decide?: Parameters<typeof createSyncEndpoint>[0]) {
  const endpoint = createSyncEndpoint(decide)
  onTestFinished(() => void endpoint.stop())
  const machine = await openMachine(endpoint.url)
  const session = crypto.randomUUID()
  const file = machine.sessionFile(session)
  const line = (text: string) => toLine(session, join(machine.home, 'app'), text)
  const start = () => startAgent({ endpoint: endpoint.url, environment: machine.environment })
  const newest = () => endpoint.linesOf().get(`${session}.jsonl`)?.join('') ?? ''
  return { endpoint, machine, file, line, start, newest }
}

async function readReport(agent: Awaited<ReturnType<typeof startAgent>>): Promise<SyncReport> {
  const { result } = await agent.ask('tools/call', { name: 'memsvc_sync_status', arguments: {} })
  return result?.structuredContent as SyncReport
}

test('an agent uploads what is agreed on, and says so', async () => {
  const { machine, file, line, start, newest } = await openAgents()
  await writeFileIn(file, line('one'))
  const agent = await start()
  await waitUntil('the session is there', () => newest().includes('one'))
  await waitUntil('the agent says so', async () => (await readReport(agent)).last_success_at !== null)
  expect(await readReport(agent)).toMatchObject({
    state: 'idle',
    enabled: true,
    uploader: 'this_process',
    project_dirs: ['~/app'],
    totals: { sessions: { known: 1, synced: 1, pending: 0 } },
  })
  await appendFile(file, line('two'))
  await wakeUploads(machine.environment, Date.now() + 5)
  await waitUntil('what was added is there', () => newest().includes('two'))
  await waitUntil('the agent is done', async () => (await readReport(agent)).state === 'idle')
  await appendFile(file, line('three'))
  await wakeUploads(machine.environment, Date.now() - DAY_MS)
  await waitUntil('what was added after the clock was set back is there', () => newest().includes('three'))
})

test('without consent nothing is asked and nothing is sent, and only the command line can give it', async () => {
  const { endpoint, machine, file, line, start } = await openAgents()
  await machine.change({ folders: [] })
  await writeFileIn(file, line('one'))
  const agent = await start()
  expect(await readReport(agent)).toMatchObject({
    state: 'disabled',
    reason: 'not_enabled',
    enabled: false,
    project_dirs: [],
    uploader: 'none',
  })
  for (const name of ['memsvc_sync_status', 'memsvc_sync_enable'])
    await agent.ask('tools/call', { name, arguments: { enable: true, enabled: true, folders: [machine.home] } })
  expect(await readReport(agent)).toMatchObject({ state: 'disabled', enabled: false })
  expect(endpoint.requests.filter((one) => one.includes('/v1/'))).toEqual([])
})

test('an agent with a key of another holder than the one who agreed uploads nothing, and says so', async () => {
  const { endpoint, machine, file, line, start } = await openAgents()
  await machine.change({ folders: [{ ...machine.toFolder('app'), holderId: crypto.randomUUID(), holder: 'Ben' }] })
  await writeFileIn(file, line('one'))
  const agent = await start()
  const { database } = machine.openUploader()
  const readUnagreed = async () =>
    listUnagreed(database, (await readSyncSettings(machine.environment)) ?? { folders: [] })
  await waitUntil('it is noted', async () => (await readUnagreed()).length > 0)
  expect(await readUnagreed()).toMatchObject([{ holder: 'Ada', project: 'default' }])
  expect(await readReport(agent)).toMatchObject({
    state: 'disabled',
    reason: 'other_holder',
    enabled: false,
    project_dirs: [],
  })
  expect([...endpoint.histories.values()]).toEqual([])
  await machine.change({ folders: [machine.toFolder('app')] })
  await waitUntil('the session is there', () => endpoint.histories.size === 1)
  expect(await readUnagreed()).toEqual([])
})

test('a pause ends the uploads, and going on begins them again', async () => {
  const { machine, file, line, start, newest } = await openAgents()
  await writeFileIn(file, line('one'))
  const agent = await start()
  await waitUntil('the session is there', () => newest().includes('one'))
  await machine.change({ isPaused: true })
  expect(await readReport(agent)).toMatchObject({ state: 'paused', reason: 'paused_by_user', enabled: true })
  await waitUntil('nobody uploads', async () => (await readReport(agent)).uploader === 'none')
  await appendFile(file, line('two'))
  await machine.change({ isPaused: false })
  await waitUntil('the rest is there', () => newest().includes('two'))
})

test('of several agents one uploads, each says so, and when it ends another takes over', async () => {
  const { file, line, start, newest, endpoint } = await openAgents()
  await writeFileIn(file, line('one'))
  const first = await start()
  await waitUntil('the session is there', () => newest().includes('one'))
  // Only now, or it may be one of them that uploads.
  const others = [await start(), await start()]
  // All stand in this process, so that its id does not tell them apart.
  for (const agent of [first, ...others])
    expect(await readReport(agent)).toMatchObject({ enabled: true, uploader: 'this_process' })
  expect(endpoint.countSegments()).toBe(1)
  await first.close()
  await first.done
  await appendFile(file, line('two'))
  await waitUntil('the rest is there', () => newest().includes('two'), LEASE_MS + 10_000)
  expect(endpoint.countSegments()).toBe(2)
})

test('a rejected key and a service that is away are told, and nothing is forgotten meanwhile', async () => {
  let isRejected = true
  const { file, line, start, newest, machine } = await openAgents((method) =>
    method === 'PUT' && isRejected ? Response.json({}, { status: 401 }) : 'answer',
  )
  await writeFileIn(file, line('one'))
  const agent = await start()
  await waitUntil('the rejection is told', async () => (await readReport(agent)).reason === 'key_rejected')
  expect(await readReport(agent)).toMatchObject({
    state: 'paused',
    enabled: true,
    totals: { sessions: { pending: 1 } },
    last_error: { code: 'key_rejected' },
  })
  isRejected = false
  await wakeUploads(machine.environment, Date.now() + 5)
  await waitUntil('the session is there', () => newest().includes('one'))
  await waitUntil('all is well again', async () => (await readReport(agent)).state === 'idle')
  expect(await readReport(agent)).toMatchObject({ reason: null, last_error: null })
})

test('a state folder that cannot be used is told, and everything else works', async () => {
  const { endpoint, machine, file, line, start } = await openAgents()
  await writeFileIn(file, line('one'))
  await mkdir(join(machine.home, 'state', 'sync.db'))
  const agent = await start()
  await waitUntil('it is told', async () => (await readReport(agent)).state === 'error')
  expect(await readReport(agent)).toMatchObject({
    reason: 'local_failure',
    uploader: 'none',
    totals: { sessions: { known: 0 } },
  })
  expect(endpoint.countSegments()).toBe(0)
})

test('a key that cannot be one, and a service that was never reached, are told', async () => {
  const { machine, endpoint } = await openAgents(() => Response.json({}, { status: 500 }))
  const withoutKey = await startAgent({
    endpoint: endpoint.url,
    environment: { ...machine.environment, SVC_API_KEY: 'svc_cut' },
  })
  expect(await readReport(withoutKey)).toMatchObject({ state: 'paused', reason: 'key_missing', enabled: true })
  const away = await startAgent({ endpoint: endpoint.url, environment: machine.environment })
  await waitUntil('it is told', async () => (await readReport(away)).reason === 'offline')
  expect(await readReport(away)).toMatchObject({ state: 'backing_off', enabled: true })
})

test('a service that could not be asked once is asked again some seconds later', async () => {
  let asked = 0
  const { file, line, start, newest } = await openAgents((_method, path) => {
    const isAway = path === '/v1/key' && ++asked === 1
    return isAway ? Response.json({}, { status: 500 }) : 'answer'
  })
  await writeFileIn(file, line('one'))
  await start()
  await waitUntil('the session is there', () => newest().includes('one'), 40_000)
  expect(asked).toBe(2)
})

test('a service that could not be asked is asked again, also if the clock is set back by a day meanwhile', async () => {
  let asked = 0
  const { machine, file, line, newest } = await openAgents((_method, path) => {
    const isAway = path === '/v1/key' && ++asked === 1
    return isAway ? Response.json({}, { status: 500 }) : 'answer'
  })
  await writeFileIn(file, line('one'))
  let sinceFailure = 0
  const supervisor = startSyncSupervisor({
    machine: machine.machine,
    client: createServiceClient(machine.environment),
    workerUrl: new URL('../../../../src/agent/histories/sync/worker/main.ts', import.meta.url),
    // The first time that is read after the failure is the one from which the pause counts.
    now: () => Date.now() - (asked === 1 && sinceFailure++ > 0 ? DAY_MS : 0),
    intervalMs: 20,
  })
  onTestFinished(supervisor.stop)
  await waitUntil('the session is there', () => newest().includes('one'))
})

test('an environment that forbids uploads is told', async () => {
  const { machine, endpoint, file, line } = await openAgents()
  await writeFileIn(file, line('one'))
  const agent = await startAgent({ endpoint: endpoint.url, environment: { ...machine.environment, SVC_SYNC: 'off' } })
  expect(await readReport(agent)).toMatchObject({ state: 'disabled', reason: 'switched_off', enabled: false })
})

test('a state that another process holds for a moment is looked at again, and nothing is called wrong', async () => {
  let asked = 0
  const { file, line, start, newest, machine } = await openAgents((_method, path) => {
    if (path === '/v1/key') asked++
    return 'answer'
  })
  await writeFileIn(file, line('one'))
  const held = openSyncDatabase(join(machine.home, 'state'), 0)
  held.run('DELETE FROM targets')
  held.run('BEGIN IMMEDIATE')
  const agent = await start()
  const before = asked
  await waitUntil('the agent has looked twice', () => asked >= before + 2)
  held.run('ROLLBACK')
  held.close()
  await waitUntil('the session is there', () => newest().includes('one'))
  expect(await readReport(agent)).toMatchObject({ last_error: null })
})
