import { afterAll, describe } from 'bun:test'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { describeStore } from '../store-suite.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('with a server of PostgreSQL', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)
  const openUrl = (url: string, time = { now: 0 }) =>
    openPostgresStore({ url, poolSize: 4, sharedNow: () => time.now }, Date.now)
  const database = await server.createDatabase()
  await (await openUrl(database.url)).close()

  describeStore('PostgreSQL', async (time) => ({
    store: await openUrl(database.url, time),
    openAgain: () => openUrl(database.url, time),
    remove: database.empty,
  }))
})
