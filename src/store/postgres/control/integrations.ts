import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { IntegrationReads, IntegrationWrites } from '../../integration.ts'
import { isAmong } from '../among.ts'
import type { Run } from '../run.ts'
import { enabledIntegrations as enabled, integrations, toolLists } from '../schema/integration.ts'

export function createIntegrationReads(run: Run): IntegrationReads {
  return {
    listIntegrations: (accountId) =>
      run(({ db }) =>
        db
          .select()
          .from(integrations)
          .where(accountId === undefined ? undefined : eq(integrations.accountId, accountId))
          .orderBy(asc(integrations.slug)),
      ),
    listEnabledProjects: (integrationId) =>
      run(async ({ db }) =>
        (await db.select({ id: enabled.projectId }).from(enabled).where(eq(enabled.integrationId, integrationId))).map(({ id }) => id),
      ),
    listEnabledIntegrations: (projectId) =>
      run(async ({ db }) => {
        const found = await db
          .select({ integration: integrations })
          .from(enabled)
          .innerJoin(integrations, eq(integrations.id, enabled.integrationId))
          .where(eq(enabled.projectId, projectId))
          .orderBy(asc(integrations.slug))
        return found.map(({ integration }) => integration)
      }),
    countWithheldTools: (ids) =>
      run(async ({ db }) => {
        const rows = await db
          .select({ id: toolLists.integrationId, withheld: toolLists.withheld })
          .from(toolLists)
          .where(and(isAmong(toolLists.integrationId, ids), gt(toolLists.withheld, 0)))
        return new Map(rows.map(({ id, withheld }) => [id, withheld]))
      }),
    findToolList: (integrationId) =>
      run(async ({ db }) => (await db.select().from(toolLists).where(eq(toolLists.integrationId, integrationId)))[0]),
  }
}

/** `changed` is called by each change that the control version counts. */
export function createIntegrationWrites(run: Run, changed: () => void): IntegrationWrites {
  return {
    insertIntegration: (integration) => run(async ({ db }) => void (await db.insert(integrations).values(integration))),
    updateIntegration: (id, change) =>
      run(async ({ db }) => {
        await db.update(integrations).set(change).where(eq(integrations.id, id))
        changed()
      }),
    deleteIntegration: (id) =>
      run(async ({ db }) => {
        await db.delete(toolLists).where(eq(toolLists.integrationId, id))
        await db.delete(enabled).where(eq(enabled.integrationId, id))
        await db.delete(integrations).where(eq(integrations.id, id))
        changed()
      }),
    enableIntegration: (integrationId, projectId) =>
      run(async ({ db }) => {
        await db.insert(enabled).values({ integrationId, projectId }).onConflictDoNothing()
        changed()
      }),
    disableIntegration: (integrationId, projectId) =>
      run(async ({ db }) => {
        const row = and(eq(enabled.integrationId, integrationId), eq(enabled.projectId, projectId))
        const removed = await db.delete(enabled).where(row).returning()
        changed()
        return removed.length > 0
      }),
    saveToolList: (list) =>
      run(async ({ db }) => {
        const there = await db.select({ one: sql`1` }).from(integrations).where(eq(integrations.id, list.integrationId))
        const { accepted: _, ...set } = list
        if (there.length > 0) await db.insert(toolLists).values(list).onConflictDoUpdate({ target: toolLists.integrationId, set })
      }),
    saveAcceptedTools: ({ integrationId, accepted, withheld }, acceptedAt) =>
      run(async ({ db }) => {
        await db.update(toolLists).set({ accepted, withheld }).where(eq(toolLists.integrationId, integrationId))
        await db.update(integrations).set({ acceptedAt }).where(eq(integrations.id, integrationId))
        changed()
      }),
  }
}
