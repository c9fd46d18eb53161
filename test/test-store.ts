import { afterAll } from 'bun:test'
import type { Config } from '../src/config.ts'
import { findPostgres, type PostgresServer, startPostgres } from './postgres.ts'

let server: Promise<PostgresServer> | undefined

/** The server of PostgreSQL that the tests of this process share: made at the first call, ended after the last test. */
function usePostgres(): Promise<PostgresServer> {
  const programs = findPostgres()
  if (programs === undefined) throw new Error('SVC_TEST_STORE=postgres, and PostgreSQL is not installed')
  server ??= startPostgres(programs)
  return server
}

afterAll(async () => {
  await (await server)?.stop()
  server = undefined
})

/**
 * The settings by which a service of a test keeps its data: in a folder, or with `SVC_TEST_STORE=postgres` in a
 * database of its own.
 */
export async function configureTestStore(): Promise<Partial<Config>> {
  if (process.env.SVC_TEST_STORE !== 'postgres') return {}
  const { url } = await (await usePostgres()).createDatabase()
  return { databaseUrl: url, databasePool: 4, secretKeys: [new Uint8Array(32)] }
}
