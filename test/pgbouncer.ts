import { mkdtempSync } from 'node:fs'
import { chown, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { findFreePort } from './free-port.ts'
import { isRoot } from './is-root.ts'
import { idsOfUser } from './postgres-processes.ts'
import { waitUntil } from './wait-until.ts'

/** A PgBouncer in front of one database, under a name for each mode. */
export type Pooler = { toUrl: (mode: 'session' | 'transaction' | 'statement') => string; stop: () => Promise<void> }

/** The program, which Debian keeps from users' search paths; null where it is not installed. */
export const findPgbouncer = () => Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })

export async function startPgbouncer(program: string, databaseUrl: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-pgbouncer-'))
  const port = findFreePort()
  const { port: serverPort, pathname } = new URL(databaseUrl)
  const to = `host=127.0.0.1 port=${serverPort} dbname=${pathname.slice(1)}`
  const databases = ['session', 'transaction', 'statement'].map((mode) => `${mode} = ${to} pool_mode=${mode}`)
  const settings = [
    `listen_port = ${port}`,
    'listen_addr = 127.0.0.1',
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${folder}/users`,
  ]
  await writeFile(join(folder, 'users'), '"memsvc" ""\n')
  await writeFile(join(folder, 'ini'), ['[databases]', ...databases, '[pgbouncer]', ...settings, ''].join('\n'))
  // It refuses to run as root.
  if (isRoot)
    for (const path of [folder, join(folder, 'users'), join(folder, 'ini')]) await chown(path, ...idsOfUser('postgres'))
  const command = [program, '-q', ...(isRoot ? ['-u', 'postgres'] : []), join(folder, 'ini')]
  const pooler = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const toUrl: Pooler['toUrl'] = (mode) => `postgres://memsvc@127.0.0.1:${port}/${mode}`
  await waitUntil('the pooler listens', () => answers(toUrl('session')))
  return {
    toUrl,
    stop: async () => {
      pooler.kill()
      await pooler.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new SQL({ url, max: 1 })
  try {
    await client.unsafe('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.close({ timeout: 0 })
  }
}
