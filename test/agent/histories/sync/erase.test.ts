import { expect, test } from 'bun:test'
import { forget, rescan } from '../../../../src/agent/histories/sync/erase.ts'
import { holdLease, LEASE_MS } from '../../../../src/agent/histories/sync/lease.ts'
import type { Uploader } from '../../../../src/agent/histories/sync/pass.ts'
import { nameOf } from '../../../../src/agent/histories/sync/target.ts'
import { openMachine, writeSession } from './machine.ts'
import { createSyncEndpoint } from './sync-endpoint.ts'

test.each([
  ['forgotten', forget],
  ['uploaded again', rescan],
])('nobody uploads while many sessions are %s, however long that takes', async (_, act) => {
  const endpoint = createSyncEndpoint(() => 'answer')
  const machine = await openMachine(endpoint.url)
  for (let nth = 0; nth < 3; nth++) await writeSession(machine, 'app')
  const usual = machine.openUploader()
  await machine.pass(usual)
  let now = Date.now()
  const isTaken: boolean[] = []
  const other = process.ppid
  const forgetSlowly: Uploader['client']['forget'] = async (sourceId) => {
    now += LEASE_MS - 1
    isTaken.push(holdLease(usual.database, nameOf(usual.target), other, () => now))
    await usual.client.forget(sourceId)
  }
  const uploader: Uploader = { ...usual, now: () => now, client: { ...usual.client, forget: forgetSlowly } }
  expect(await act(uploader, undefined)).toBe(3)
  expect(isTaken).toEqual([false, false, false])
  expect(holdLease(usual.database, nameOf(usual.target), other, () => now)).toBe(true)
  await endpoint.stop()
})
