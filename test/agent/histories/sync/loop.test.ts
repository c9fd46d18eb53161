import { expect, onTestFinished, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noteActivity, readActivity, toHalt } from '../../../../src/agent/histories/sync/activity.ts'
import { openSyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { findHolder, takeLease } from '../../../../src/agent/histories/sync/lease.ts'
import { delayAfter, runUploads } from '../../../../src/agent/histories/sync/loop.ts'
import type { Uploader } from '../../../../src/agent/histories/sync/pass.ts'
import { nameOf } from '../../../../src/agent/histories/sync/target.ts'
import { makeStateDir } from '../../start-agent.ts'
import { openMachine, writeSession } from './machine.ts'
import { createSyncEndpoint, type Fate } from './sync-endpoint.ts'

/** Uploads whose waits end at once; `steer` is told each and may change the world, or end them. */
async function run(
  decide: () => Fate,
  steer: (waited: number, stop: () => void, uploader: Uploader) => 'over' | 'woken',
) {
  const endpoint = createSyncEndpoint((method) => (method === 'PUT' ? decide() : 'answer'))
  onTestFinished(() => void endpoint.stop())
  const machine = await openMachine(endpoint.url)
  await writeSession(machine, 'app')
  const controller = new AbortController()
  let now = Date.now()
  const uploader: Uploader = { ...machine.openUploader(), signal: controller.signal, now: () => now }
  const wait = async (ms: number) => {
    const ended = steer(ms, () => controller.abort(), uploader)
    if (ended === 'over') now += ms
    return ended
  }
  await runUploads({ uploader, random: () => 0.5, wait })
  return { endpoint, uploader, name: nameOf(uploader.target), now: () => now }
}

test('waits longer after each failure, a random part of twice as long, at most a quarter of an hour', () => {
  const after = (failures: number, random: number) => delayAfter({ state: 'backing_off' }, failures, () => random)
  expect([1, 2, 3, 20, 500].map((failures) => after(failures, 1))).toEqual([2_000, 4_000, 8_000, 900_000, 900_000])
  expect([after(3, 0.25), after(3, 0)]).toEqual([2_000, 250])
})

test('waits as long as the service asks for, and much longer where a person has to do something', () => {
  expect(delayAfter({ state: 'backing_off', retryAfterSeconds: 90 }, 1, () => 0)).toBe(90_000)
  expect(delayAfter({ state: 'paused' }, 1, () => 0)).toBe(300_000)
})

test('a state that another process keeps for too long passes by itself', async () => {
  const stateDir = await makeStateDir()
  const [holder, waiting] = [openSyncDatabase(stateDir, 0), openSyncDatabase(stateDir, 0)]
  holder.run('BEGIN IMMEDIATE')
  const note = async () => noteActivity(waiting, 'one', { state: 'idle' })
  expect(await note().catch(toHalt)).toMatchObject({ state: 'backing_off', reason: 'local_failure' })
  for (const database of [holder, waiting]) database.close()
})

test('goes on by itself after failures, and says meanwhile when', async () => {
  let failures = 3
  const waits: number[] = []
  const decide = (): Fate => (failures-- > 0 ? new Response('{}', { status: 503 }) : 'answer')
  const { endpoint, uploader, name } = await run(decide, (ms, stop) => {
    waits.push(ms)
    if (failures < 0) stop()
    return 'over'
  })
  expect([waits.slice(0, 3), endpoint.countSegments()]).toEqual([[1_000, 2_000, 4_000], 1])
  expect(readActivity(uploader.database, name)).toMatchObject({ state: 'idle', last_error: null, passes: 1 })
})

test('somebody who asks for an upload is not waited for, unless the service has said for how long', async () => {
  let attempts = 0
  let waits = 0
  const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '15' } })
  const decide = (): Fate =>
    ++attempts === 1 ? new Response('{}', { status: 500 }) : attempts === 2 ? busy() : 'answer'
  const attemptsAt: number[] = []
  await run(decide, (_ms, stop) => {
    attemptsAt.push(attempts)
    if (++waits === 5) stop()
    return waits < 3 ? 'woken' : 'over'
  })
  // The pause of 15 s that the service asked for is not cut short: it is waited for in two parts once more.
  expect(attemptsAt).toEqual([1, 2, 2, 2, 3])
})

test('ends where another process has taken over, whose lease it leaves alone, and gives back its own where it ends by itself', async () => {
  const other = process.ppid
  const overtaken = await run(
    () => 'answer',
    (_ms, _stop, { database, target, now }) => {
      takeLease(database, nameOf(target), other, now())
      return 'woken'
    },
  )
  expect(findHolder(overtaken.uploader.database, overtaken.name, overtaken.now)).toBe(other)
  const stopped = await run(
    () => 'answer',
    (_ms, stop) => {
      stop()
      return 'over'
    },
  )
  expect(findHolder(stopped.uploader.database, stopped.name, stopped.now)).toBeUndefined()
})

test.each([
  ['no database', (file: string) => writeFile(file, 'x'.repeat(10_000))],
  [
    'a database with a damaged page',
    async (file: string) => {
      const bytes = Buffer.from(await Bun.file(file).bytes())
      await writeFile(file, bytes.fill(0x5a, 4_096, 3 * 4_096))
    },
  ],
])('%s is put aside, and another one made', async (_name, damage) => {
  const stateDir = await makeStateDir()
  const first = openSyncDatabase(stateDir, 0)
  takeLease(first, 'target', process.pid, Date.now())
  first.run('PRAGMA wal_checkpoint(TRUNCATE)')
  first.close()
  await damage(join(stateDir, 'sync.db'))
  const second = openSyncDatabase(stateDir, 0)
  onTestFinished(() => second.close())
  expect([findHolder(second, 'target', Date.now), await Bun.file(join(stateDir, 'sync.db.old')).exists()]).toEqual([
    undefined,
    true,
  ])
})
