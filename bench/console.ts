import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { COMMAND_LINE } from '../src/account/auth/actor.ts'
import { makeEntryLink } from '../src/account/auth/entry-link.ts'
import { firstRun } from '../src/account/organizations/first-run.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openService } from '../src/service.ts'
import { fill } from './console/dataset.ts'
import { readThreadTime } from './stall/thread-time.ts'

// How long the pages of the console take over 100 000 records in 1 000 workspaces, on the wall clock and of the
// processor, and the longest turn of the event loop meanwhile, of the processor: `bun bench/console.ts --data FOLDER
// [--database URL] [--only TEXT] [--times 15]`. A new folder, or a database without accounts, is filled.

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'console-data' },
    database: { type: 'string' },
    only: { type: 'string' },
    times: { type: 'string', default: '15' },
  },
})

/** What is promised of a page: the time that it takes, and for how long it holds up everybody else. */
const MAX_PAGE_MS = 50
const MAX_HELD_MS = 25

const dataDir = resolve(values.data)
mkdirSync(dataDir, { recursive: true })
const clock = { now: Date.now, ticks: () => performance.now() }
const random = {
  uuid: (at: number) => Bun.randomUUIDv7('hex', at),
  bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
}
const inDatabase =
  values.database === undefined ? {} : { databaseUrl: values.database, secretKeys: [new Uint8Array(32)] }
const config = {
  ...readConfig({}),
  ...inDatabase,
  host: '127.0.0.1',
  port: 0,
  dataDir,
  clientDocuments: 'off' as const,
}
const service = await openService({ config, clock, random, log: () => {}, version: 'bench' })
if ((await service.store.control.list('accounts', {})).length === 0) {
  const begun = await firstRun(service)
  if (begun === undefined) throw new Error('the folder is not new')
  console.error('filling the folder …')
  await fill(service, begun)
  await service.store.tidy()
}

const [account] = await service.store.control.list('accounts', {})
const [owner] = (await service.store.control.list('members', { accountId: account?.id ?? '' })).filter(
  ({ role }) => role === 'owner',
)
const [project] = await service.store.control.list('projects', { accountId: account?.id ?? '' })
if (account === undefined || owner === undefined || project === undefined)
  throw new Error('the folder has no account, owner or project')

const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${app.server?.port}`
const cookie = await signIn()
const at = `/console/projects/${project.id}`
const records = service.store.project(project.id)
const [last] = await records.listRecords({ visible: undefined, newestFirst: true, limit: 1 })
const [deep] = await records.listRecords({ visible: ['*'], limit: 1 })

const PAGES = [
  '/console',
  '/console/me',
  '/console/people',
  '/console/people?sort=-verified',
  '/console/integrations',
  '/console/connections',
  '/console/backups',
  '/console/audit',
  '/console/account',
  '/console/operator',
  '/console/jump?q=port',
  `${at}/overview`,
  `${at}/overview?days=90`,
  `${at}/records`,
  `${at}/records?before=${deep?.id}`,
  `${at}/records?after=${deep?.id}`,
  `${at}/records?workspace=default`,
  `${at}/records?workspace=area-301`,
  `${at}/records?freshness=stale`,
  `${at}/records?freshness=fresh`,
  `${at}/records?freshness=expiring`,
  `${at}/records?status=verified`,
  `${at}/records?scope=draft`,
  `${at}/records?author=Person+3`,
  `${at}/records?source=docs%2Fpart-31.md`,
  `${at}/records?since=2026-01-01&until=2026-12-31`,
  `${at}/records?q=port+8011`,
  `${at}/records?q=deployed+friday&workspace=default`,
  `${at}/records/${last?.id}`,
  `${at}/review`,
  `${at}/sources`,
  `${at}/sources?q=part-39`,
  `${at}/sources?sort=-records`,
  `${at}/sources?sort=source&q=part-3&page=2`,
  `${at}/trash`,
  `${at}/trash?sort=forgotten`,
  `${at}/trash?sort=source`,
  `${at}/guard`,
  `${at}/keys`,
  `${at}/keys?sort=-last-used`,
  `${at}/calls`,
  `${at}/start`,
  `${at}/import`,
  `${at}/sessions`,
  `${at}/connections`,
  `${at}/settings`,
]

async function signIn(): Promise<string> {
  if (owner === undefined) throw new Error('nobody to sign in')
  const token = await makeEntryLink(service, COMMAND_LINE, owner)
  const body = new URLSearchParams({ password: 'correct horse battery' })
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' }
  const { headers: answered } = await fetch(`${url}/console/enter/${token}`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  })
  return answered.get('set-cookie')?.split(';')[0] ?? ''
}

/**
 * The longest turn of the event loop since it was asked last, in milliseconds of the processor. Watching keeps the
 * processor busy until it is stopped.
 */
function watchTurns() {
  let last = readThreadTime()
  let longest = 0
  let isStopped = false
  const look = () => {
    const now = readThreadTime()
    longest = Math.max(longest, now - last)
    last = now
    if (!isStopped) setImmediate(look)
  }
  look()
  return {
    read: () => {
      const found = longest
      longest = 0
      return found
    },
    stop: () => {
      isStopped = true
    },
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Numbers that a page asks for and does not wait for are counted 0.1 s later. */
const IDLE_MS = 300

/** Waits until the process has next to nothing to do. */
async function untilIdle(): Promise<void> {
  for (let used = Number.POSITIVE_INFINITY; used > 0.05 * IDLE_MS; ) {
    const before = process.cpuUsage()
    await Bun.sleep(IDLE_MS)
    const { user, system } = process.cpuUsage(before)
    used = (user + system) / 1_000
  }
}

async function measure(path: string, watch?: ReturnType<typeof watchTurns>) {
  const [walls, cpus, turns]: number[][] = [[], [], []]
  let status = 0
  for (let run = 0; run <= Number(values.times); run++) {
    watch?.read()
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    const response = await fetch(url + path, { headers: { cookie, 'accept-encoding': 'identity' }, redirect: 'manual' })
    await response.text()
    status = response.status
    if (run === 0 && watch === undefined) await untilIdle()
    const used = process.cpuUsage(cpu)
    // The first is without anything that is kept between two, and has what it lets be counted.
    if (run > 0) walls?.push(performance.now() - began)
    cpus?.push((used.user + used.system) / 1_000)
    turns?.push(watch?.read() ?? 0)
  }
  watch?.stop()
  return {
    status,
    wall: median(walls ?? []),
    first: cpus?.[0] ?? 0,
    cpu: median(cpus ?? []),
    turn: median(turns ?? []),
  }
}

const shown = PAGES.filter((path) => values.only === undefined || path.includes(values.only))
console.log('wall ms | cpu ms | cpu of the first | longest turn | page')
let slow = 0
for (const path of shown) {
  const { status, wall, first, cpu } = await measure(path)
  const { turn } = await measure(path, watchTurns())
  if (cpu > MAX_PAGE_MS || turn > MAX_HELD_MS) slow++
  const cells = [wall, cpu, first, turn].map((number) => number.toFixed(1).padStart(7))
  console.log(`${cells.join(' | ')} | ${path.replace(project.id, '…')}${status === 200 ? '' : ` (${status})`}`)
}
console.log(
  `${slow} of ${shown.length} pages take more than ${MAX_PAGE_MS} ms of the processor or hold the event loop for more than ${MAX_HELD_MS} ms of it`,
)
await app.stop(true)
await service.close()
process.exit(0)
