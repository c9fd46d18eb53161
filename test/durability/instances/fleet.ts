import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { issueKey } from '../../../src/account/keys/key.ts'
import { overrideLimits } from '../../../src/account/limits/override-limits.ts'
import { addAccount } from '../../../src/account/organizations/account.ts'
import { firstRun } from '../../../src/account/organizations/first-run.ts'
import { addProject } from '../../../src/account/organizations/project.ts'
import { readConfig } from '../../../src/config.ts'
import { openService, type Service } from '../../../src/service.ts'
import type { Project } from '../../../src/store/account.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../../postgres.ts'
import { startExecutable } from '../../smoke/running.ts'
import { NEXT_STEP } from '../../store/postgres/steps/made-up.ts'
import { startProxy, type TcpProxy } from '../proxy.ts'

/** A process that serves, and where. */
export type Instance = { url: string; child: Subprocess }

/** Instances on one database, which they reach through a proxy, and what they are tried with. */
export type Fleet = {
  server: PostgresServer
  proxy: TcpProxy
  /** Not a part of what is tried: it reaches the database by a proxy of its own, which is neither cut nor stalled. */
  operator: Service
  /** Where assistants save. */
  project: Project
  secret: string
  /** Keys of a project of their own, whose account has few calls. */
  limited: { keys: string[]; callsPerKey: number; callsPerProject: number }
  instances: Instance[]
  /** Kills an instance with SIGKILL and starts another one in its place. */
  replace: (at: number) => Promise<void>
  /**
   * Restarts the instances one after the other with the next version, whose first one takes a step of the schema; or,
   * where they have it, with the version before.
   */
  changeVersion: () => Promise<void>
  /** Kills the database while a synchronous standby follows it, which takes its place. */
  failOver: () => Promise<void>
  stop: () => Promise<void>
}

const ROOT = join(import.meta.dir, '../../..')
/** What the source needs to run. */
const COPIED = ['src', 'drizzle', 'package.json', 'tsconfig.json']

const SECRET_KEY = '11'.repeat(32)
const LIMITS = { callsPerKey: 30, callsPerProject: 50 }

/**
 * How long a synchronous standby follows the database, half as long to one and a half times, before it takes its place:
 * not all processes of the database know at once that commits wait for it.
 */
const FOLLOWED_MS = 500

/** Starts a database and so many instances, by a command of the service, at once. */
export async function startFleet(command: string[], count: number): Promise<Fleet> {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-instances-'))
  const server = await startPostgres(programs)
  const { url } = await server.createDatabase()
  const proxy = await startProxy(server.port)
  const operatorProxy = await startProxy(server.port)
  const toUrl = ({ port }: TcpProxy) => url.replace(`:${server.port}/`, `:${port}/`)
  const throughProxy = toUrl(proxy)
  const operator = await openOperator(toUrl(operatorProxy))
  const founded = await setUp(operator)
  const started: Subprocess[] = []
  const versions = [command, makeNextVersion(folder)]
  const start = () => startInstance(versions[0] ?? command, folder, throughProxy, started)
  const instances = await Promise.all(Array.from({ length: count }, start))
  const replace = async (at: number, signal?: NodeJS.Signals) => {
    await end(instances[at]?.child, signal)
    instances[at] = await start()
  }

  return {
    server,
    proxy,
    operator,
    ...founded,
    instances,
    replace,
    changeVersion: async () => {
      versions.reverse()
      for (const at of instances.keys()) await replace(at, 'SIGTERM')
    },
    failOver: async () => {
      await server.startStandby()
      await server.waitForStandby()
      await Bun.sleep(FOLLOWED_MS * (0.5 + Math.random()))
      await server.failOver()
      for (const way of [proxy, operatorProxy]) way.leadTo(server.port)
    },
    stop: async () => {
      await Promise.all(started.map((child) => end(child)))
      await operator.close()
      for (const way of [proxy, operatorProxy]) await way.stop()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function end(child: Subprocess | undefined, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  child?.kill(signal)
  await child?.exited
}

/** The command of a version with one step of the schema more: this source, copied into a folder, with a made-up step. */
function makeNextVersion(folder: string): string[] {
  const copy = join(folder, 'next-version')
  for (const part of COPIED) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'drizzle/postgres', `${NEXT_STEP.name}.sql`), NEXT_STEP.sql)
  return [process.execPath, join(copy, 'src/main.ts')]
}

export async function startInstance(
  command: string[],
  folder: string,
  url: string,
  started: Subprocess[],
): Promise<Instance> {
  const own: Subprocess[] = []
  const settings = { SVC_DATABASE_URL: url, SVC_DATABASE_POOL: '6', SVC_SECRET_KEY: SECRET_KEY }
  const running = await startExecutable(command, '/', folder, own, settings)
  started.push(...own)
  const [child] = own
  if (child === undefined) throw new Error('the instance was not started')
  return { url: running.url, child }
}

/** A service in this process. */
export function openOperator(databaseUrl: string): Promise<Service> {
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const clock = { now: Date.now, ticks: () => performance.now() }
  const config = { ...readConfig({ SVC_SECRET_KEY: SECRET_KEY }), databaseUrl, databasePool: 3 }
  return openService({ config, clock, random, log: () => {}, version: 'operator' })
}

async function setUp(operator: Service): Promise<Pick<Fleet, 'project' | 'secret' | 'limited'>> {
  const first = await firstRun(operator)
  if (first === undefined) throw new Error('the database is not new')
  const account = await addAccount(operator, COMMAND_LINE, { name: 'limited', plan: 'team' })
  const overrides = { callsPerKey: `${LIMITS.callsPerKey}`, callsPerProject: `${LIMITS.callsPerProject}` }
  const changed = await overrideLimits(operator, COMMAND_LINE, { account, overrides })
  const project = await addProject(operator, COMMAND_LINE, { account: changed, name: 'limited' })
  const keys = [
    await issueKey(operator, COMMAND_LINE, { project }),
    await issueKey(operator, COMMAND_LINE, { project }),
  ]
  return {
    project: first.project,
    secret: first.secret,
    limited: { ...LIMITS, keys: keys.map(({ secret }) => secret) },
  }
}
