import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '../src/store/sqlite/store.ts'

// What it costs that projects take turns: a save into one after the other of more projects than are held open, so that
// each finds its file closed, beside the same into projects that stay open, in turn. The processor time is that of the
// thread that serves. `bun bench/projects.ts [--projects 1000] [--rounds 4] [--clients 16] [--folder FOLDER]
// [--no-worker]`

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '16' },
    folder: { type: 'string', default: tmpdir() },
    'no-worker': { type: 'boolean', default: false },
  },
})

/** Projects that stay open. */
const FEW = 16

const folder = mkdtempSync(join(values.folder, 'memsvc-bench-'))
const checkpointWorker = new URL('../src/store/sqlite/checkpoints/main.ts', import.meta.url)
const store = await openSqliteStore(folder, Date.now, values['no-worker'] ? {} : { checkpointWorker })
const account = {
  id: 'a',
  name: 'a',
  plan: 'self-hosted',
  createdAt: 1,
  subscribedAt: null,
  subscribedUntil: null,
  suspendedAt: null,
  removedAt: null,
}
const many = Array.from({ length: Number(values.projects) }, (_, at) => `p${at}`)
await store.control.write(async (tx) => {
  await tx.insert('accounts', { ...account, credentialPolicy: 'reject', markedPolicy: 'caution', limits: {} })
  for (const id of many)
    await tx.insert('projects', {
      id,
      accountId: 'a',
      name: id,
      createdAt: 1,
      removedAt: null,
      credentialRules: null,
      keepsQuestions: false,
    })
})

await saveIntoEach(many, 'made')
for (let round = 0; round < Number(values.rounds); round++) {
  const before = process.threadCpuUsage()
  const inTurn = await saveIntoEach(many, `turn ${round}`)
  const { user, system } = process.threadCpuUsage(before)
  const processorMs = ((user + system) / 1000 / many.length).toFixed(2)
  const open = await saveIntoEach(
    Array.from({ length: many.length }, (_, at) => `p${at % FEW}`),
    `open ${round}`,
  )
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20)
  const descriptors = readdirSync('/proc/self/fd').length
  console.log(
    `${inTurn} saves/s in turn at ${processorMs} ms of the processor, ${open} into ${FEW} projects that stay open; ${memory} MiB, ${descriptors} descriptors`,
  )
}
await store.close()
rmSync(folder, { recursive: true })

/** Returns saves a second. */
async function saveIntoEach(ids: string[], name: string): Promise<number> {
  const left = ids.map((id, at) => ({ id, name: `${name} ${at}` }))
  const began = performance.now()
  const client = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { id, name } = next
      await store.project(id).write((tx) => tx.insertWorkspace(name, 1))
    }
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, client))
  return Math.round((ids.length / (performance.now() - began)) * 1000)
}
