import { openSqliteStore } from '../../../src/store/sqlite/store.ts'

// A program of its own, so that a test can run it under the limits of another process: opens a folder and writes to so
// many projects, all at once.

const NOW = Date.UTC(2026, 0, 15)
const [folder = '', count = '0'] = process.argv.slice(2)
const ids = Array.from({ length: Number(count) }, (_, i) => `p${i}`)
const store = await openSqliteStore(folder, () => NOW)
const account = {
  id: 'a',
  name: 'a',
  plan: 'self-hosted',
  credentialPolicy: 'reject' as const,
  markedPolicy: 'caution' as const,
  limits: {},
  createdAt: NOW,
  subscribedAt: null,
  subscribedUntil: null,
  suspendedAt: null,
  removedAt: null,
}
await store.control.write(async (tx) => {
  await tx.insert('accounts', account)
  for (const id of ids)
    await tx.insert('projects', {
      id,
      accountId: 'a',
      name: id,
      createdAt: NOW,
      removedAt: null,
      credentialRules: null,
      keepsQuestions: false,
    })
})
await Promise.all(ids.map((id) => store.project(id).write((tx) => tx.insertWorkspace('one', NOW))))
const counts = await Promise.all(ids.map((id) => store.project(id).countWorkspaces()))
await store.close()
process.stdout.write(`${counts.filter((n) => n === 1).length} projects written and read\n`)
