import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SQL } from 'bun'
import { isRoot } from './is-root.ts'
import { waitUntil } from './wait-until.ts'

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

/** Runs a program of the server to its end. @throws what it says if it fails. */
export async function runAsServer(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: 'ignore', stderr: 'pipe', ...asServer() })
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${await child.stderr.text()}`)
}

const TO_STANDBY = `printf %s "$2" > "$1/backup_label"; touch "$1/standby.signal"; rm -f "$1/postmaster.pid"
echo "primary_conninfo = 'host=127.0.0.1 port=$3 user=postgres'" >> "$1/postgresql.auto.conf"`

/**
 * Makes a standby of a running server without `pg_basebackup`, which packages of a server alone do not have. `admin`
 * has one connection.
 */
export async function copyRunning(admin: SQL, data: string, copy: string, port: number): Promise<void> {
  await admin.unsafe("select pg_backup_start('copy', true)")
  await runAsServer(['cp', '--archive', data, copy], data)
  const [stopped] = await admin.unsafe('select labelfile from pg_backup_stop(false)')
  await runAsServer(['sh', '-c', TO_STANDBY, 'sh', copy, stopped.labelfile, `${port}`], data)
}

/**
 * Ends what runs in the folder and removes it once this process has ended, however it ended: the shell waits for the
 * end of its standard input.
 */
export function endWithProcess(programs: string, folder: string) {
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

/** Kills all processes of the server on a folder with SIGKILL. */
export async function kill(data: string): Promise<void> {
  const parent = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  // Stopped first, so that it makes no others meanwhile.
  process.kill(Number(parent), 'SIGSTOP')
  const children = Bun.spawnSync(['pgrep', '-P', parent]).stdout.toString().trim().split('\n')
  const pids = [parent, ...children].map(Number).filter((pid) => pid > 0)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await waitUntil('the server has ended', () => pids.every((pid) => !existsSync(`/proc/${pid}`)))
}
