import { eq, sql } from 'drizzle-orm'
import type { Control, ControlReads, ControlWrites } from '../../control.ts'
import type { StoreEvents } from '../../store.ts'
import type { Pool } from '../pool.ts'
import { createReadRun, type Run } from '../run.ts'
import { controlVersion } from '../schema/control.ts'
import { createWriter } from '../write.ts'
import { createAccountReads, createAccountWrites } from './accounts.ts'
import { createAuditReads, createAuditWrites } from './audit.ts'
import { createDailyUseReads, createDailyUseWrites } from './daily-use.ts'
import { createIntegrationReads, createIntegrationWrites } from './integrations.ts'
import { createKeyReads, createKeyWrites } from './keys.ts'
import { createOAuthReads, createOAuthWrites } from './oauth.ts'
import { createSignInReads, createSignInWrites } from './sign-ins.ts'

/** The verbs of the control data. Every write locks the one row that has the control version. */
export function createControlStore(pool: Pool, hooks: StoreEvents): Control {
  const read = createReadRun(pool, undefined)
  let isChanged = false
  const changed = () => {
    isChanged = true
  }
  const write = createWriter(pool, undefined, {
    ...hooks,
    begin: async ({ db }) => {
      isChanged = false
      await db.execute(sql`select version from ${controlVersion} for update`)
    },
    mark: () => {
      const before = isChanged
      return () => {
        isChanged = before
      }
    },
    end: async ({ db }) => {
      if (isChanged) await db.update(controlVersion).set({ version: sql`version + 1` }).where(eq(controlVersion.one, true))
    },
  })
  const control: Control = {
    ...createReads(read),
    version: () => read(async ({ db }) => (await db.select().from(controlVersion))[0]?.version ?? 0),
    write: (act) => write((connection) => act(createWrites((verb) => verb(connection), changed))),
  }
  return control
}

function createReads(run: Run): ControlReads {
  return {
    ...createAccountReads(run),
    ...createAuditReads(run),
    ...createDailyUseReads(run),
    ...createIntegrationReads(run),
    ...createKeyReads(run),
    ...createOAuthReads(run),
    ...createSignInReads(run),
  }
}

function createWrites(run: Run, changed: () => void): ControlWrites {
  return {
    ...createReads(run),
    ...createAccountWrites(run, changed),
    ...createAuditWrites(run),
    ...createDailyUseWrites(run),
    ...createIntegrationWrites(run, changed),
    ...createKeyWrites(run, changed),
    ...createOAuthWrites(run, changed),
    ...createSignInWrites(run),
  }
}
