import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { KeyReads, KeyWrites } from '../../account.ts'
import type { ControlReads, ControlWrites } from '../../control.ts'
import type { DailyUse, DailyUseWrites } from '../../daily-use.ts'
import type { IntegrationReads } from '../../integration.ts'
import type { OAuthReads } from '../../oauth.ts'
import type { SignInReads } from '../../sign-in.ts'
import { type Engine, lazily, type WriteEngine } from '../engine.ts'
import { createAccountReads, createAccountWrites } from './accounts.ts'
import { createAuditReads, createAuditWrites } from './audit.ts'
import { createEntityReads, createEntityWrites } from './entities.ts'

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

type HolderReads = KeyReads & OAuthReads & SignInReads

/** Keys, tokens and sessions, each with whose it is. */
function createHolderReads({ db, tables }: Engine): HolderReads {
  const { accounts, members, projects, keys, connections, sessions } = tables

  const listKeyHolders = (condition: SQL) =>
    db
      .select({ key: keys, project: projects, account: accounts, member: members })
      .from(keys)
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
      .where(condition)

  const listConnectionHolders = (condition: SQL | undefined) =>
    db
      .select({ connection: connections, key: keys, project: projects, account: accounts, member: members })
      .from(connections)
      .innerJoin(keys, eq(keys.id, connections.keyId))
      .innerJoin(projects, eq(projects.id, keys.projectId))
      .innerJoin(accounts, eq(accounts.id, projects.accountId))
      .leftJoin(members, eq(members.id, keys.memberId))
      .where(condition)
      .orderBy(desc(connections.createdAt), desc(connections.id))

  // Prepared once: every request to the console runs it, and building it takes longer than running it.
  const sessionHolder = lazily(() =>
    db
      .select({ session: sessions, member: members, account: accounts })
      .from(sessions)
      .innerJoin(members, eq(members.id, sessions.memberId))
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(eq(sessions.digest, sql.placeholder('digest')))
      .prepare(),
  )

  return {
    findKeyHolder: async (key) =>
      (await listKeyHolders('digest' in key ? eq(keys.digest, key.digest) : eq(keys.id, key.id)))[0],
    listKeyPage: async ({ projectId, memberId, now, offset, limit }) => {
      const own = and(eq(keys.projectId, projectId), memberId === undefined ? undefined : eq(keys.memberId, memberId))
      const live = and(own, isNull(keys.revokedAt), or(isNull(keys.expiresAt), gt(keys.expiresAt, now)))
      const ended = and(own, or(isNotNull(keys.revokedAt), lte(keys.expiresAt, now)))
      const list = (condition: SQL | undefined, skip: number, most: number) =>
        db.select().from(keys).where(condition).orderBy(desc(keys.createdAt), desc(keys.id)).limit(most).offset(skip)
      const first = await list(live, offset, limit)
      if (first.length === limit) return first
      const skip = first.length > 0 || offset === 0 ? 0 : offset - (await db.$count(keys, live))
      return [...first, ...(await list(ended, skip, limit - first.length))]
    },
    findConnectionHolder: async (tokenDigest) =>
      (await listConnectionHolders(eq(connections.tokenDigest, tokenDigest)))[0],
    listConnections: async ({ id, codeDigest, accountId, projectId, memberId }, { after, limit } = {}) => {
      const found = listConnectionHolders(
        and(
          id === undefined ? undefined : eq(connections.id, id),
          codeDigest === undefined ? undefined : eq(connections.codeDigest, codeDigest),
          accountId === undefined ? undefined : eq(accounts.id, accountId),
          projectId === undefined ? undefined : eq(projects.id, projectId),
          memberId === undefined ? undefined : eq(keys.memberId, memberId),
          after &&
            sql`(${connections.createdAt}, ${connections.id}) < (${after.createdAt}, ${sql.param(after.id, connections.id)})`,
        ),
      )
      return limit === undefined ? found : found.limit(limit)
    },
    findSessionHolder: async (digest) => (await sessionHolder().execute({ digest }))[0],
  }
}
