import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { findFreePort } from './free-port.ts'
import { isRoot } from './is-root.ts'
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
  stop: () => Promise<void>
}

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

/** Whom programs of the server run as: as root they refuse to. */
export function asServer(): { uid?: number; gid?: number } {
  if (!isRoot) return {}
  const [uid, gid] = idsOfUser('postgres')
  return { uid, gid }
}

/** The numbers of a user of this machine and of its group. */
export function idsOfUser(name: string): [uid: number, gid: number] {
  const read = (option: string) => Number(Bun.spawnSync(['id', option, name]).stdout.toString())
  return [read('-u'), read('-g')]
}

async function run(command: string[], cwd: string): Promise<void> {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore', stderr: 'pipe', ...asServer() })
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr}`)
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-postgres-'))
  if (isRoot) {
    await chown(folder, ...idsOfUser('postgres'))
  }
  const data = join(folder, 'data')
  await run(
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
  const port = findFreePort()
  // A crash of the server is a crash of a process here, not of the machine: what it wrote is there.
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=100 -c fsync=off`
  const start = () =>
    run([join(programs, 'pg_ctl'), '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start'], folder)
  const end = (mode: string) => run([join(programs, 'pg_ctl'), '-D', data, '-m', mode, '-w', 'stop'], folder)
  await start()
  const guard = endWithProcess(programs, folder)
  const connectAdmin = () => new SQL({ url: `postgres://postgres@127.0.0.1:${port}/postgres`, max: 1 })
  let admin = connectAdmin()
  await admin.unsafe('create role memsvc login')
  const standbys: string[] = []
  const control = (folder: string, ...words: string[]) =>
    run([join(programs, 'pg_ctl'), '-D', folder, '-w', ...words], folder)
  return {
    port,
    startStandby: async () => {
      const copy = join(folder, `standby-${standbys.length}`)
      const standbyPort = findFreePort()
      await copyRunning(admin, data, copy, port)
      await control(
        copy,
        '-o',
        `-p ${standbyPort} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`,
        '-l',
        `${copy}.log`,
        'start',
      )
      standbys.push(copy)
      return { port: standbyPort, promote: () => control(copy, 'promote') }
    },
    createDatabase: async () => {
      const name = `memsvc_${crypto.randomUUID().replaceAll('-', '')}`
      await admin.unsafe(`create database ${name} owner memsvc`)
      return { url: `postgres://memsvc@127.0.0.1:${port}/${name}`, empty: () => empty(port, name) }
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
      await admin.close({ timeout: 0 })
      await kill(data)
      await start()
      admin = connectAdmin()
    },
    stop: async () => {
      await admin.close({ timeout: 0 })
      for (const standby of standbys) await control(standby, '-m', 'immediate', 'stop')
      await end('immediate')
      await guard.stdin.end()
      await guard.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const TO_STANDBY = `printf %s "$2" > "$1/backup_label"; touch "$1/standby.signal"; rm -f "$1/postmaster.pid"
echo "primary_conninfo = 'host=127.0.0.1 port=$3 user=postgres'" >> "$1/postgresql.auto.conf"`

/**
 * Makes a standby of a running server without `pg_basebackup`, which packages of a server alone do not have. `admin`
 * has one connection.
 */
async function copyRunning(admin: SQL, data: string, copy: string, port: number): Promise<void> {
  await admin.unsafe("select pg_backup_start('copy', true)")
  await run(['cp', '--archive', data, copy], data)
  const [stopped] = await admin.unsafe('select labelfile from pg_backup_stop(false)')
  await run(['sh', '-c', TO_STANDBY, 'sh', copy, stopped.labelfile, `${port}`], data)
}

/**
 * Ends what runs in the folder and removes it once this process has ended, however it ended: the shell waits for the
 * end of its standard input.
 */
function endWithProcess(programs: string, folder: string) {
  const stop = 'for data in "$2"/*/; do "$1" -D "$data" -m immediate stop; done; rm -rf "$2"'
  const command = ['sh', '-c', `cat; ${stop}`, 'sh', join(programs, 'pg_ctl'), folder]
  const guard = Bun.spawn(command, {
    cwd: folder,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    detached: true,
    ...asServer(),
  })
  guard.unref()
  return guard
}

async function kill(data: string): Promise<void> {
  const parent = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  // Stopped first, so that it makes no others meanwhile.
  process.kill(Number(parent), 'SIGSTOP')
  const children = Bun.spawnSync(['pgrep', '-P', parent]).stdout.toString().trim().split('\n')
  const pids = [parent, ...children].map(Number).filter((pid) => pid > 0)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await waitUntil('the server has ended', () => pids.every((pid) => !existsSync(`/proc/${pid}`)))
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
