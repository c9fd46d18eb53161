import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { findFreePort } from './free-port.ts'
import { isRoot } from './is-root.ts'
import { copyRunning, endWithProcess, idsOfUser, kill, runAsServer } from './postgres-processes.ts'
import { waitUntil } from './wait-until.ts'

/** Where Debian and others put the programs of a version. */
const HOMES = ['/usr/lib/postgresql', '/usr/local/pgsql']

/** A server of PostgreSQL of its own on a temporary folder, which ends with the tests. */
export type PostgresServer = {
  port: number
  /**
   * Makes a database that the role `memsvc` owns. `empty` takes all rows out of its tables, but for the one that
   * migrations put there.
   */
  createDatabase: () => Promise<{ url: string; empty: () => Promise<void> }>
  /**
   * Ends connections of memsvc, idle or not, as an operator does: each, or each that `isChosen`. Returns how many, when
   * they have ended.
   */
  terminate: (isChosen?: () => boolean) => Promise<number>
  /** Kills all processes of the server with SIGKILL, and starts it again. */
  crash: () => Promise<void>
  /** Starts a standby that follows this server. `promote` makes it a server of its own, which takes writes. */
  startStandby: () => Promise<{ port: number; promote: () => Promise<void> }>
  /** From now on a commit is acknowledged once a standby has it; resolves when one has whatever was committed before. */
  waitForStandby: () => Promise<void>
  /** Kills all processes of the server with SIGKILL, and promotes the last standby, which is the server from then on. */
  failOver: () => Promise<void>
  stop: () => Promise<void>
}

/** A server's data, and where it listens. */
type Node = { data: string; port: number }

/**
 * The folder of the programs of PostgreSQL that tests run on: what SVC_TEST_POSTGRES names, or the latest installed on
 * this machine; undefined where there is none.
 */
export function findPostgres(): string | undefined {
  if (process.env.SVC_TEST_POSTGRES !== undefined) return process.env.SVC_TEST_POSTGRES
  const found = HOMES.filter(existsSync).flatMap((home) =>
    readdirSync(home).map((version) => join(home, version, 'bin')),
  )
  return found.filter((folder) => existsSync(join(folder, 'initdb'))).at(-1) ?? dirOfProgram('initdb')
}

function dirOfProgram(name: string): string | undefined {
  const path = Bun.which(name)
  return path === null ? undefined : join(path, '..')
}

/** Whether a program is there: packages of a server alone have none of its clients, such as `pg_dump`. */
export function hasProgram(name: string): boolean {
  return existsSync(join(findPostgres() ?? '', name))
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-postgres-'))
  if (isRoot) {
    await chown(folder, ...idsOfUser('postgres'))
  }
  const data = join(folder, 'data')
  await runAsServer(
    [
      join(programs, 'initdb'),
      '-D',
      data,
      '-A',
      'trust',
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    folder,
  )
  // A crash of the server is a crash of a process here, not of the machine: what it wrote is there.
  const toOptions = (port: number) =>
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=100 -c fsync=off`
  const control = (data: string, ...words: string[]) =>
    runAsServer([join(programs, 'pg_ctl'), '-D', data, '-w', ...words], folder)
  const start = ({ data, port }: Node) => control(data, '-o', toOptions(port), '-l', `${data}.log`, 'start')
  let primary: Node = { data, port: findFreePort() }
  await start(primary)
  const guard = endWithProcess(programs, folder)
  const connectAdmin = () => new SQL({ url: `postgres://postgres@127.0.0.1:${primary.port}/postgres`, max: 1 })
  let admin = connectAdmin()
  await admin.unsafe('create role memsvc login')
  const standbys: Node[] = []
  const end = async () => {
    await admin.close({ timeout: 0 })
    await kill(primary.data)
  }
  return {
    get port() {
      return primary.port
    },
    startStandby: async () => {
      const standby = { data: join(folder, `standby-${crypto.randomUUID()}`), port: findFreePort() }
      await copyRunning(admin, primary.data, standby.data, primary.port)
      await start(standby)
      standbys.push(standby)
      return { port: standby.port, promote: () => control(standby.data, 'promote') }
    },
    waitForStandby: async () => {
      await admin.unsafe("alter system set synchronous_standby_names = '*'")
      await admin.unsafe('select pg_reload_conf()')
      const findSynchronous = () => admin.unsafe("select from pg_stat_replication where sync_state = 'sync'")
      await waitUntil('a standby is synchronous', async () => (await findSynchronous()).length > 0)
    },
    failOver: async () => {
      const standby = standbys.pop()
      if (standby === undefined) throw new Error('there is no standby')
      await end()
      await control(standby.data, 'promote')
      await rm(primary.data, { recursive: true })
      primary = standby
      admin = connectAdmin()
    },
    createDatabase: async () => {
      const name = `memsvc_${crypto.randomUUID().replaceAll('-', '')}`
      await admin.unsafe(`create database ${name} owner memsvc`)
      return { url: `postgres://memsvc@127.0.0.1:${primary.port}/${name}`, empty: () => empty(primary.port, name) }
    },
    terminate: async (isChosen = () => true) => {
      const pids = await admin.unsafe("select pid from pg_stat_activity where usename = 'memsvc'")
      const chosen = pids.filter(isChosen)
      // Waits until they have ended, so that their clients have learned of it.
      for (const { pid } of chosen) await admin.unsafe(`select pg_terminate_backend(${pid}, 5000)`)
      await Bun.sleep(0)
      return chosen.length
    },
    crash: async () => {
      await end()
      await start(primary)
      admin = connectAdmin()
    },
    stop: async () => {
      await admin.close({ timeout: 0 })
      for (const { data } of [...standbys, primary]) await control(data, '-m', 'immediate', 'stop')
      await guard.stdin.end()
      await guard.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function empty(port: number, name: string): Promise<void> {
  await using client = new SQL({ url: `postgres://postgres@127.0.0.1:${port}/${name}`, max: 1 })
  const tables = await client.unsafe(
    "select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'control_version')",
  )
  // For a few rows much quicker than `truncate`, which makes files for each table and index.
  const deletions = tables.map(({ tablename }: { tablename: string }) => `delete from ${tablename}`)
  await client.unsafe(['set session_replication_role = replica', ...deletions].join('; '))
}
