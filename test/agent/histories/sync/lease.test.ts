import { expect, onTestFinished, test } from 'bun:test'
import { openSyncDatabase } from '../../../../src/agent/histories/sync/database.ts'
import { findHolder, holdLease, releaseLease } from '../../../../src/agent/histories/sync/lease.ts'
import { makeStateDir } from '../../start-agent.ts'

test('the clock is read after the lease, so that one which is renewed meanwhile is not taken for one of the future', async () => {
  const database = openSyncDatabase(await makeStateDir(), 0)
  onTestFinished(() => database.close())
  expect(holdLease(database, 'target', process.pid, () => 1_000)).toBe(true)
  // Whoever reads the clock first would see no lease.
  const releaseAndRead = () => {
    releaseLease(database, 'target', process.pid)
    return 1_000
  }
  expect(findHolder(database, 'target', releaseAndRead)).toBe(process.pid)
  expect(findHolder(database, 'target', () => 1_000)).toBeUndefined()
})
