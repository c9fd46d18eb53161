import { drizzle } from 'drizzle-orm/bun-sqlite'
import { cacheRead } from '../../../cache/cached-read.ts'
import type { Control, ControlReads, ControlWrites } from '../../control.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import { truncateLog } from '../scrub.ts'
import { createAccountReads, createAccountWrites } from './accounts.ts'
import { createAuditReads, createAuditWrites } from './audit.ts'
import { createDailyUseReads, createDailyUseWrites } from './daily-use.ts'
import { createIntegrationReads, createIntegrationWrites } from './integrations.ts'
import { createKeyReads, createKeyWrites } from './keys.ts'
import { createOAuthReads, createOAuthWrites } from './oauth.ts'
import { createSignInReads, createSignInWrites } from './sign-ins.ts'
import { createControlVersion, createVersionIncrement } from './version.ts'

/** The verbs of the open control file. */
export function createControlStore(file: SqliteFile): Control {
  const reads = createReads(file.reader)
  const writes = createWrites(file.connection)
  const version = createControlVersion(file.reader, file.version)
  return withFailures(file.toReadFailure, {
    ...reads,
    // Read by every call of a tool.
    findKeyHolder: cacheRead(reads.findKeyHolder, version),
    findAuthor: cacheRead(reads.findAuthor, version),
    findAuthors: cacheRead(reads.findAuthors, version),
    findConnectionHolder: cacheRead(reads.findConnectionHolder, version),
    listEnabledIntegrations: cacheRead(reads.listEnabledIntegrations, version),
    version: async () => version(),
    write: (act) => file.writer.write(() => act(writes)),
    scrub: async () => void (await truncateLog(file)),
  })
}

type Verb = (...args: never[]) => Promise<unknown>

/** The same verbs, whose failures are converted. */
function withFailures<Verbs extends Record<keyof Verbs, Verb>>(toFailure: (error: unknown) => unknown, verbs: Verbs): Verbs {
  const wrap =
    (verb: Verb) =>
    async (...args: never[]) => {
      try {
        return await verb(...args)
      } catch (error) {
        throw toFailure(error)
      }
    }
  // A copy of the proxy: each verb is wrapped once, and a call does not pass through it.
  return { ...new Proxy(verbs, { get: (all, name) => wrap(Reflect.get(all, name)) }) }
}

function createReads(client: Connection): ControlReads {
  const db = drizzle({ client, casing: 'snake_case' })
  return {
    ...createAccountReads(db),
    ...createAuditReads(db),
    ...createDailyUseReads(client),
    ...createIntegrationReads(db),
    ...createKeyReads(db),
    ...createOAuthReads(db),
    ...createSignInReads(db),
  }
}

function createWrites(client: Connection): ControlWrites {
  const db = drizzle({ client, casing: 'snake_case' })
  const changed = createVersionIncrement(client)
  return {
    ...createReads(client),
    ...createAccountWrites(db, changed),
    ...createAuditWrites(db),
    ...createDailyUseWrites(client),
    ...createIntegrationWrites(db, changed),
    ...createKeyWrites(db, changed),
    ...createOAuthWrites(db, changed),
    ...createSignInWrites(db),
  }
}
