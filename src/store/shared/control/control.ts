import { and, eq, gt, inArray, type Placeholder, sql } from 'drizzle-orm'
import type { KeyWrites } from '../../account.ts'
import type { ControlReads, ControlWrites } from '../../control.ts'
import type { DailyUse, DailyUseWrites } from '../../daily-use.ts'
import type { IntegrationReads } from '../../integration.ts'
import type { Engine, WriteEngine } from '../engine.ts'
import { createAccountReads, createAccountWrites } from './accounts.ts'
import { createAuditReads, createAuditWrites } from './audit.ts'
import { createEntityReads, createEntityWrites } from './entities.ts'
import { createHolderReads } from './holders.ts'

/** The verbs of control data, except for the one that each engine has for itself. */
type Shared<Verbs> = Omit<Verbs, 'countUse'>

export const createControlReads = (engine: Engine): Shared<ControlReads> => ({
  ...createEntityReads(engine),
  ...createAccountReads(engine),
  ...createAuditReads(engine),
  ...createHolderReads(engine),
  ...createIntegrationReads(engine),
})

export const createControlWrites = (engine: WriteEngine): Shared<ControlWrites> => ({
  ...createControlReads(engine),
  ...createEntityWrites(engine),
  ...createAccountWrites(engine),
  ...createAuditWrites(engine),
  ...createUseWrites(engine),
})

function createUseWrites({ db, tables }: Engine): KeyWrites & DailyUseWrites {
  const { dailyUse } = tables
  return {
    saveUses: async (of, uses) => {
      const { id, lastUsedAt } = tables[of]
      const later = sql`case when ${lastUsedAt} > ${sql.placeholder('at')} then ${lastUsedAt} else ${sql.placeholder('at')} end`
      const save = db
        .update(tables[of])
        .set({ lastUsedAt: later })
        .where(eq(id, sql.placeholder('id')))
        .prepare()
      for (const use of uses) await save.execute(use)
    },
    addDailyUse: async (uses) => {
      const { projectId, day, tool, keyId, outcome, durationMs } = dailyUse
      const names = ['projectId', 'day', 'tool', 'keyId', 'outcome', 'durationMs', 'calls']
      const values = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<
        keyof DailyUse,
        Placeholder
      >
      const add = db
        .insert(dailyUse)
        .values(values)
        .onConflictDoUpdate({
          target: [projectId, day, tool, keyId, outcome, durationMs],
          set: { calls: sql`${dailyUse.calls} + excluded.calls` },
        })
        .prepare()
      for (const use of uses) await add.execute(use)
    },
  }
}

function createIntegrationReads({ db, tables, isAmong }: Engine): IntegrationReads {
  const { integrations, enabledIntegrations: enabled, toolLists } = tables
  return {
    listEnabledIntegrations: async (projectId) => {
      const ids = db.select({ id: enabled.integrationId }).from(enabled).where(eq(enabled.projectId, projectId))
      return db.select().from(integrations).where(inArray(integrations.id, ids)).orderBy(integrations.slug)
    },
    countWithheldTools: async (ids) => {
      const rows = await db
        .select({ id: toolLists.integrationId, withheld: toolLists.withheld })
        .from(toolLists)
        .where(and(isAmong(toolLists.integrationId, ids), gt(toolLists.withheld, 0)))
      return new Map(rows.map(({ id, withheld }) => [id, withheld]))
    },
  }
}
