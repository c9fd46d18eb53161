import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, SERVICE } from '../../account/auth/actor.ts'
import { type AppContext, logFailure } from '../../account/context.ts'
import { revokeKey } from '../../account/keys/key.ts'
import { removeMember } from '../../account/organizations/change-member.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import { DAY_MS } from '../../clock.ts'
import type { Key, Member, Project } from '../../store/account.ts'
import type { HistoryStore } from '../../store/history-verbs.ts'
import { forgetAll, hideLines, listAll } from './erase.ts'
import { eraseDead } from './erase-dead.ts'

type IsStopped = () => boolean

/** Sources examined at a time. */
const BATCH_SOURCES = 50

/**
 * Permanently erases, in every project: sessions that have received nothing for the retention period before `now`,
 * sessions of people and service keys that no longer exist, and leftovers of a crash. A project that fails is logged
 * and skipped. Ends early once `isStopped` returns true.
 */
export async function purgeHistories(
  ctx: AppContext,
  isStopped: IsStopped = () => false,
  now = ctx.clock.now(),
): Promise<void> {
  for (const project of await listAllProjects(ctx)) {
    if (isStopped()) return
    await purgeProject(ctx, project, isStopped, now).catch((error) =>
      logFailure(ctx, 'purge failed', project.id, error),
    )
  }
}

/**
 * Permanently erases the sessions of removed people and service keys in the projects of an account. Called after a
 * removal; after a crash `purgeHistories` does it.
 */
async function purgeRemovedOwners(ctx: AppContext, accountId: string): Promise<void> {
  for (const project of await ctx.store.control.list('projects', { accountId })) {
    if (project.removedAt !== null || !(await ctx.store.hasHistory(project.id))) continue
    const store = ctx.store.history(project.id)
    const forgotten = await forgetRemovedOwners(ctx, store)
    await recordPurge(ctx, project, forgotten)
    if (forgotten > 0) await eraseDead(store)
  }
}

async function purgeProject(ctx: AppContext, project: Project, isStopped: IsStopped, now: number): Promise<void> {
  const { store, config } = ctx
  if (project.removedAt !== null || !(await store.hasHistory(project.id))) return
  const histories = store.history(project.id)
  const forgotten = await forgetRemovedOwners(ctx, histories)
  const expired = await hideExpired(ctx, histories, now - config.historyDays * DAY_MS, isStopped)
  await recordPurge(ctx, project, forgotten + expired)
  await eraseDead(histories, isStopped)
}

async function recordPurge(ctx: AppContext, { id, accountId }: Project, sources: number): Promise<void> {
  if (sources === 0) return
  await recordEventAlone(ctx, SERVICE, {
    act: 'history.purge',
    accountId,
    projectId: id,
    target: id,
    details: { sources },
  })
}

/** Returns how many sources were forgotten. */
async function forgetRemovedOwners(ctx: AppContext, store: HistoryStore): Promise<number> {
  let forgotten = 0
  for (const { id: ownerId, agreedAt } of await store.listOwners()) {
    if (!(await isRemoved(ctx, ownerId))) continue
    if (agreedAt !== null) await store.write((tx) => tx.setAgreed(ownerId, null))
    const sources = await listAll(store, ownerId)
    await forgetAll(ctx, store, sources)
    forgotten += sources.length
  }
  return forgotten
}

/**
 * Whether the owner is a removed member or a revoked service key. Not an expired key, and not an unknown owner: a
 * project restored from another server has histories of people who are unknown here, which are kept as long as others.
 */
async function isRemoved({ store }: AppContext, ownerId: string): Promise<boolean> {
  const [author] = await store.control.findAuthors([ownerId])
  if (author === undefined) return false
  if (author.removedAt !== null) return true
  const key = await store.control.find('keys', { id: ownerId })
  return key !== undefined && key.revokedAt !== null
}

/** Returns how many sources lost their lines. */
async function hideExpired(
  { clock }: AppContext,
  store: HistoryStore,
  before: number,
  isStopped: IsStopped,
): Promise<number> {
  let expired = 0
  while (!isStopped() && (await store.listIdleSources(before, 1)).length > 0)
    expired += await store.write(async (tx) => {
      // Listed again: one of them may have received something meanwhile.
      const batch = await tx.listIdleSources(before, BATCH_SOURCES)
      for (const { id } of batch) await hideLines(tx, id, clock.now())
      return batch.length
    })
  return expired
}

/**
 * Removes a member as `removeMember` does, and permanently erases their session histories. What cannot be erased now is
 * erased by the next purge. Returns the time of the removal.
 *
 * @throws Refusal as `removeMember`; then nothing is erased.
 */
export async function removeMemberAndHistories(ctx: AppContext, actor: Actor, member: Member): Promise<number> {
  const removedAt = await removeMember(ctx, actor, member)
  await purgeNow(ctx, member.accountId)
  return removedAt
}

/**
 * Revokes a key as `revokeKey` does. Uploads of a service key are permanently erased; uploads of a member stay theirs.
 *
 * @throws Refusal as `revokeKey`; then nothing is erased.
 */
export async function revokeKeyAndHistories(ctx: AppContext, actor: Actor, key: Key): Promise<void> {
  await revokeKey(ctx, actor, key)
  const holder = key.memberId === null ? await ctx.store.control.findKeyHolder({ id: key.id }) : undefined
  if (holder !== undefined) await purgeNow(ctx, holder.account.id)
}

/** Erases now; a failure, such as a full disk, does not undo the removal. */
async function purgeNow(ctx: AppContext, accountId: string): Promise<void> {
  await purgeRemovedOwners(ctx, accountId).catch((error) =>
    ctx.log('purge failed', { account: accountId, error: String(error) }),
  )
}
