import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { IntegrationReads, IntegrationWrites } from '../../integration.ts'
import { enabledIntegrations as enabled, integrations, toolLists } from '../schema/integration.ts'

export function createIntegrationReads(db: BunSQLiteDatabase): IntegrationReads {
  return {
    listIntegrations: async (accountId) =>
      db
        .select()
        .from(integrations)
        .where(accountId === undefined ? undefined : eq(integrations.accountId, accountId))
        .orderBy(asc(integrations.slug))
        .all(),
    listEnabledProjects: async (integrationId) =>
      db
        .select({ id: enabled.projectId })
        .from(enabled)
        .where(eq(enabled.integrationId, integrationId))
        .all()
        .map(({ id }) => id),
    listEnabledIntegrations: async (projectId) =>
      db
        .select({ integration: integrations })
        .from(enabled)
        .innerJoin(integrations, eq(integrations.id, enabled.integrationId))
        .where(eq(enabled.projectId, projectId))
        .orderBy(asc(integrations.slug))
        .all()
        .map(({ integration }) => integration),
    countWithheldTools: async (integrationIds) => {
      const columns = { id: toolLists.integrationId, withheld: toolLists.withheld }
      const rows = db
        .select(columns)
        .from(toolLists)
        .where(and(inArray(toolLists.integrationId, integrationIds), gt(toolLists.withheld, 0)))
        .all()
      return new Map(rows.map(({ id, withheld }) => [id, withheld]))
    },
    findToolList: async (integrationId) => db.select().from(toolLists).where(eq(toolLists.integrationId, integrationId)).get(),
  }
}

/** `changed` is called for each change that the control version counts. */
export function createIntegrationWrites(db: BunSQLiteDatabase, changed: () => void): IntegrationWrites {
  return {
    insertIntegration: async (integration) => void db.insert(integrations).values(integration).run(),
    updateIntegration: async (id, change) => {
      db.update(integrations).set(change).where(eq(integrations.id, id)).run()
      changed()
    },
    deleteIntegration: async (id) => {
      db.delete(toolLists).where(eq(toolLists.integrationId, id)).run()
      db.delete(enabled).where(eq(enabled.integrationId, id)).run()
      db.delete(integrations).where(eq(integrations.id, id)).run()
      changed()
    },
    enableIntegration: async (integrationId, projectId) => {
      db.insert(enabled).values({ integrationId, projectId }).onConflictDoNothing().run()
      changed()
    },
    disableIntegration: async (integrationId, projectId) => {
      const row = and(eq(enabled.integrationId, integrationId), eq(enabled.projectId, projectId))
      const removed = db.delete(enabled).where(row).returning().all()
      changed()
      return removed.length > 0
    },
    saveToolList: async (list) => {
      const there = db.select({ one: sql`1` }).from(integrations).where(eq(integrations.id, list.integrationId)).get()
      const { accepted: _, ...set } = list
      if (there !== undefined) db.insert(toolLists).values(list).onConflictDoUpdate({ target: toolLists.integrationId, set }).run()
    },
    saveAcceptedTools: async ({ integrationId, accepted, withheld }, acceptedAt) => {
      db.update(toolLists).set({ accepted, withheld }).where(eq(toolLists.integrationId, integrationId)).run()
      db.update(integrations).set({ acceptedAt }).where(eq(integrations.id, integrationId)).run()
      changed()
    },
  }
}
