import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { openOperator, startInstance } from './fleet.ts'

/**
 * Starts so many instances at once on an empty database, and tells how many started, how many accounts there are then,
 * and how many keys.
 */
export async function startAtOnce(
  command: string[],
  count: number,
): Promise<{ started: number; accounts: number; keys: number }> {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-at-once-'))
  const server = await startPostgres(programs)
  const { url } = await server.createDatabase()
  const children: Subprocess[] = []
  const folders = Array.from({ length: count }, (_, at) => join(folder, `${at}`))
  const instances = await Promise.all(folders.map((data) => startInstance(command, data, url, children)))
  const operator = await openOperator(url)
  const accounts = await operator.store.control.list('accounts', {})
  const issued = await Promise.all(accounts.map(() => operator.store.control.list('keys', {})))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map(({ exited }) => exited))
  await operator.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return { started: instances.length, accounts: accounts.length, keys: issued.flat().length }
}
