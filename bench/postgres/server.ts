import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SQL } from 'bun'
import { findFreePort } from '../../test/free-port.ts'
import { isRoot } from '../../test/is-root.ts'
import { findPostgres } from '../../test/postgres.ts'
import { asServer, idsOfUser } from '../../test/postgres-processes.ts'

/** What a database of a few gigabytes is usually given; everything else, durability above all, as it comes. */
const SETTINGS = ['shared_buffers=1GB', 'max_connections=100', 'max_wal_size=4GB', 'listen_addresses=127.0.0.1']

function run(command: string[], cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore', stderr: 'pipe', ...asServer() })
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr}`)
}

/** A server in a folder, made where there is none, that keeps its databases when it is stopped; with `more` settings. */
export async function startServer(folder: string, more: string[] = []) {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const home = resolve(folder)
  mkdirSync(home, { recursive: true })
  if (isRoot) chownSync(home, ...idsOfUser('postgres'))
  const data = join(home, 'data')
  if (!existsSync(join(data, 'PG_VERSION')))
    run([join(programs, 'initdb'), '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'], home)
  const port = findFreePort()
  const options = [`-p ${port}`, `-k ${home}`, ...[...SETTINGS, ...more].map((setting) => `-c ${setting}`)].join(' ')
  run([join(programs, 'pg_ctl'), '-D', data, '-o', options, '-l', join(home, 'log'), '-w', 'start'], home)
  const url = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const admin = new SQL({ url: url('postgres', 'postgres'), max: 1 })
  if ((await admin`select 1 from pg_roles where rolname = 'memsvc'`).length === 0)
    await admin.unsafe('create role memsvc login')
  return {
    /** A connection of a superuser. */
    admin,
    /** The URL of a database of that name, and whether it is new. */
    database: async (name: string) => {
      const isNew = (await admin`select 1 from pg_database where datname = ${name}`).length === 0
      if (isNew) await admin.unsafe(`create database ${name} owner memsvc`)
      return { url: url('memsvc', name), isNew }
    },
    drop: (name: string) => admin.unsafe(`drop database if exists ${name} with (force)`),
    /** Writes out what was changed, so that no measurement pays for the one before. */
    settle: () => admin.unsafe('checkpoint'),
    stop: async () => {
      await admin.close()
      run([join(programs, 'pg_ctl'), '-D', data, '-m', 'fast', '-w', 'stop'], home)
    },
  }
}
