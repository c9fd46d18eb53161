import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { issueKey } from '../../src/account/keys/key.ts'
import { overrideLimits } from '../../src/account/limits/override-limits.ts'
import { consumeCall } from '../../src/account/limits/throttle.ts'
import { createApp } from '../../src/app.ts'
import type { Corpus } from '../corpus.ts'
import { fill } from './dataset.ts'
import { startServer } from './server.ts'
import { openOn } from './service.ts'

// What a call costs the database and the service in processor time, statements and bytes of the write-ahead log: the
// constants of `bench/scale-model.ts`. As it measures no durations, a busy machine disturbs it little:
// `bun bench/postgres/costs.ts [--cache FOLDER] [--acts 400] [--only small]`. Linux only; needs pg_stat_statements.

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'memsvc-bench-costs') },
    acts: { type: 'string', default: '400' },
    only: { type: 'string' },
  },
})
const cache = resolve(values.cache)
const acts = Number(values.acts)
/** Projects that are searched in memory, and such that are too large for that. */
const SETS = { small: { projects: 40, records: 500 }, large: { projects: 2, records: 10_000 } }
const TOGETHER = 16
/** The clock of windows runs as many times faster, so that places are given back within the run. */
const HASTE = 60
/** Of the kernel's times of processes. */
const MS_PER_TICK = 10
const NAME_WIDTH = 46

const server = await startServer(cache, ['shared_preload_libraries=pg_stat_statements'])
try {
  await server.admin.unsafe('create extension if not exists pg_stat_statements')
  for (const [name, set] of Object.entries(SETS))
    if (values.only === undefined || values.only === name) await measureProjects(set)
} finally {
  await server.stop()
}

/** Milliseconds of the processor that the server has taken, with all its processes, those that ended included. */
function readDatabaseMs(): number {
  const [postmaster = ''] = readFileSync(join(cache, 'data/postmaster.pid'), 'utf8').split('\n')
  const times = (pid: string, fields: number) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 11 + fields)
      .reduce((sum, ticks) => sum + Number(ticks), 0)
  }
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  return MS_PER_TICK * children.reduce((sum, pid) => sum + times(pid, 2), times(postmaster, 4))
}

async function readCounters() {
  const [row] = await server.admin`select (select sum(calls)::float8 from pg_stat_statements) as statements,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log`
  const { user, system } = process.cpuUsage()
  return { database: readDatabaseMs(), service: (user + system) / 1_000, statements: row.statements, log: row.log }
}

/**
 * Does something `count` times, `together` at once, and prints what each cost; before that, if several are done at once,
 * as often without measuring, until connections have planned their statements.
 */
async function measure(name: string, count: number, together: number, act: (at: number) => Promise<unknown>) {
  let next = 0
  const workUntil = async (end: number) => {
    while (next < end) await act(next++)
  }
  const workTogether = (end: number) => Promise.all(Array.from({ length: together }, () => workUntil(end)))
  const warmUp = together > 1 ? count : 0
  await workTogether(warmUp)
  const before = await readCounters()
  await workTogether(warmUp + count)
  const after = await readCounters()
  const each = (of: keyof typeof after, digits: number) =>
    ((after[of] - before[of]) / count).toFixed(digits).padStart(11)
  console.log(name.padEnd(NAME_WIDTH), each('database', 2), each('service', 2), each('statements', 1), each('log', 0))
}

async function measureProjects({ projects, records }: typeof SETS.small): Promise<void> {
  await server.drop('costs')
  const { url } = await server.database('costs')
  const began = Date.now()
  const opened = await openOn(url, () => began + HASTE * (Date.now() - began))
  const { corpus } = await fill(opened.service, opened.first, projects * records, projects, url)
  await using client = new SQL({ url, max: 1 })
  await client.unsafe('vacuum analyze')
  const [size] = await client`select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const bytes = Math.round(size.bytes / projects / records)
  console.log(`\n${projects} projects of ${records} records, ${bytes} bytes a record`)
  console.log('each of'.padEnd(NAME_WIDTH), 'database ms', ' service ms', ' statements', '  log bytes')
  const { consume, search, save } = await openCallers(opened, corpus)
  await measure('search, first of a project', projects, 1, search)
  await measure('search', acts, TOGETHER, search)
  await measure('places in the windows alone, one at a time', acts, 1, consume)
  await measure(`places in the windows alone, ${TOGETHER} at once`, acts, TOGETHER, consume)
  await measure('save', acts, TOGETHER, save)
  for (const compressed of ['off', 'on']) {
    await server.admin.unsafe(`alter system set wal_compression = ${compressed}`)
    await server.admin.unsafe('select pg_reload_conf()')
    await server.settle()
    await measure(`save after a checkpoint, wal_compression = ${compressed}`, projects, 1, save)
  }
  await opened.close()
}

/** What a key of each project does in turn. */
async function openCallers({ service, first }: Awaited<ReturnType<typeof openOn>>, corpus: Corpus) {
  const account = await overrideLimits(service, COMMAND_LINE, {
    account: first.account,
    overrides: { callsPerKey: '1000000', callsPerProject: '1000000' },
  })
  const projects = await service.store.control.list('projects', { accountId: account.id })
  const secrets = await Promise.all(
    projects.map(async (project) => (await issueKey(service, COMMAND_LINE, { project })).secret),
  )
  const callers = await Promise.all(secrets.map((secret) => authenticate(service, `Bearer ${secret}`)))
  const app = createApp(service)
  const callTool = async (at: number, name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const headers = {
      authorization: `Bearer ${secrets[at % secrets.length]}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = await (
      await app.handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
    ).text()
    // A text of made-up words may look like an order to the guard.
    if (!answer.includes('"isError":false') && name === 'search') throw new Error(answer)
  }
  return {
    consume: async (at: number) => {
      const caller = callers[at % callers.length]
      if (caller !== undefined) await consumeCall(service, caller)
    },
    search: (at: number) => callTool(at, 'search', { query: corpus.questions[at % corpus.questions.length] }),
    save: (at: number) => callTool(at, 'remember', { content: `${corpus.text(at)} ${at}` }),
  }
}
