import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toEntry } from '../../../src/memory/search/index/index-entry.ts'
import { moveStore } from '../../../src/store/move-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder } from '../../run-cli.ts'
import { account, NOW, project } from '../suite/context.ts'

test('a move does not end while somebody reads what its control file does not have yet, and then with everything', async () => {
  const [from, to] = [await makeFolder(), join(await makeFolder(), 'new')]
  const store = await openSqliteStore(from, Date.now)
  await store.control.write(async (tx) => {
    await tx.insert('accounts', account)
    await tx.insert('projects', project('p1'))
  })
  await store.close()
  const same = (row: object) => row as Record<string, unknown>
  const credentials = { prepare: async () => {}, reencrypt: same, decrypt: { source: same, target: same } }
  let reader: Database | undefined
  const move = (onProgress: () => void) =>
    moveStore({ dataDir: from }, { dataDir: to }, { credentials, toEntry, now: NOW, onProgress })
  const readBeside = () => {
    if (reader !== undefined) return
    reader = new Database(join(to, 'control.db.moving'))
    reader.run('begin')
    reader.query('select * from accounts').all()
  }
  expect(await rejectionOf(move(readBeside))).toContain('another process reads')
  reader?.close()
  await move(() => {})
  const moved = await openSqliteStore(to, Date.now)
  expect(await moved.control.list('accounts', {})).toEqual([account])
  await moved.close()
})
