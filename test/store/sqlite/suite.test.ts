import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { describeStore } from '../store-suite.ts'

describeStore('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-store-'))
  return {
    store: await openSqliteStore(folder, Date.now),
    openAgain: () => openSqliteStore(folder, Date.now),
    remove: () => rm(folder, { recursive: true }),
  }
})
