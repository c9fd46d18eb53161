import { type AuditEvent, recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, toActorId } from '../../account/auth/actor.ts'
import { mayManage, requireManager } from '../../account/auth/authorize.ts'
import type { Visitor } from '../../account/auth/session.ts'
import type { AppContext } from '../../account/context.ts'
import { requireVisibleProject } from '../../account/organizations/visible-projects.ts'
import { Refusal } from '../../errors.ts'
import { inspectInSlices } from '../../guard/inspect.ts'
import type { Project } from '../../store/account.ts'
import type { ProjectWrites } from '../../store/project.ts'
import type { Release } from '../../store/release.ts'
import { MAX_CONTENT_BYTES } from '../records/draft.ts'
import { requireText } from '../records/require-text.ts'
import { hashOf } from './pass-guard.ts'

/** Requests of one member, and of a whole project, that wait at a time; texts of a project that may pass. */
const MAX_ASKED_BY_MEMBER = 10
const MAX_ASKED = 100
const MAX_ALLOWED = 1_000
/** Characters of what somebody says for a text. */
export const MAX_WHY_CHARACTERS = 500

const HASH = /^[0-9a-f]{64}$/

/** Whether a text is the name of another: its SHA-256 in hexadecimal. */
export function isContentHash(text: string): boolean {
  return HASH.test(text)
}

export type ReleaseWish = { projectId: string; text: string; why: string }

/**
 * Asks that a text may pass the guard in a project that the visitor may open. From now on owners and admins of the account see the text; nobody
 * else does, and the audit log has its hash alone. A text that is asked for already stays as it is. Returns the hash. Throws a Refusal for a text that
 * the guard lets pass, or that may pass already, and where too many wait.
 */
export async function askRelease(ctx: AppContext, visitor: Visitor, wish: ReleaseWish, by: Actor): Promise<string> {
  const project = await requireVisibleProject(ctx, visitor, wish.projectId)
  const [text, why] = [requireReleasable(wish.text), requireWhy(wish.why)]
  const verdict = await inspectInSlices(text)
  if (!verdict.rejected) throw new Refusal('the guard lets this text pass; save it again')
  const hash = hashOf(text)
  const asked = { askedBy: toActorId(by), askedAt: ctx.clock.now(), decidedBy: null, decidedAt: null }
  const isNew = await ctx.store.project(project.id).write(async (tx) => {
    const known = await tx.findRelease(hash)
    if (known?.state === 'allowed') throw new Refusal('this text may pass already; save it again')
    if (known?.state === 'asked') return false
    await requireRoom(tx, toActorId(by))
    await tx.saveRelease({ hash, state: 'asked', text, reason: verdict.reason, why, ...asked })
    return true
  })
  if (isNew) await recordEventAlone(ctx, by, toDeed('guard.ask', project, hash))
  return hash
}

/** A text as somebody pasted it. Throws a Refusal for one that no record could hold. */
export function requireReleasable(text: string): string {
  const size = Buffer.byteLength(text, 'utf8')
  if (size > MAX_CONTENT_BYTES) throw new Refusal(`the text is too large: ${size} bytes of at most ${MAX_CONTENT_BYTES}`)
  return requireText('the text', text)
}

function requireWhy(text: string): string {
  const why = text.trim()
  if (why.length > MAX_WHY_CHARACTERS) throw new Refusal(`the reason must have at most ${MAX_WHY_CHARACTERS} characters`)
  return requireText('the reason', why)
}

async function requireRoom(tx: ProjectWrites, askedBy: string): Promise<void> {
  const [own, all] = [await tx.countReleases({ state: 'asked', askedBy }), await tx.countReleases({ state: 'asked' })]
  if (own >= MAX_ASKED_BY_MEMBER)
    throw new Refusal(`you have asked for ${own} texts already; wait until they are decided, or take some back`)
  if (all >= MAX_ASKED) throw new Refusal('too many texts wait for a decision in this project; try again when some are decided')
}

export type ReleaseDecision = { projectId: string; hash: string; allowed: boolean }

/**
 * Decides about a text that somebody asked for. What may pass is the text of this hash alone, which is the one that the visitor saw. Declined, the text
 * is erased. Throws a Refusal for whoever does not manage the account, for an admin about what they asked for themselves, and for
 * what is not, or no more, asked for.
 */
export async function decideRelease(ctx: AppContext, visitor: Visitor, decision: ReleaseDecision, by: Actor): Promise<void> {
  requireManager(by, visitor.account.id)
  const project = await requireVisibleProject(ctx, visitor, decision.projectId)
  await ctx.store.project(project.id).write(async (tx) => {
    const asked = await tx.findRelease(decision.hash)
    if (asked?.state !== 'asked') throw new Refusal('nobody asks for this text any more; look again')
    if (decision.allowed && asked.askedBy === toActorId(by) && visitor.member.role !== 'owner') {
      throw new Refusal('another admin, or an owner, decides about what you asked for')
    }
    const decided = { decidedBy: toActorId(by), decidedAt: ctx.clock.now() }
    if (decision.allowed) await allow(tx, { ...asked, ...decided })
    else await tx.saveRelease({ ...asked, ...decided, state: 'declined', text: null })
  })
  await recordEventAlone(ctx, by, toDeed(decision.allowed ? 'record.allow' : 'guard.decline', project, decision.hash))
}

async function allow(tx: ProjectWrites, release: Release): Promise<void> {
  if ((await tx.countReleases({ state: 'allowed' })) >= MAX_ALLOWED)
    throw new Refusal(`at most ${MAX_ALLOWED} texts may pass; revoke some first`)
  await tx.saveRelease({ ...release, state: 'allowed' })
}

type OneRelease = { projectId: string; hash: string }

/** Takes back that a text may pass. Records that hold it stay. Throws a Refusal for whoever does not manage the account. */
export async function revokeRelease(ctx: AppContext, visitor: Visitor, { projectId, hash }: OneRelease, by: Actor): Promise<void> {
  requireManager(by, visitor.account.id)
  await revokeContent(ctx, await requireVisibleProject(ctx, visitor, projectId), hash, by)
}

/** Takes back what the visitor asked for, and erases the text. Throws a Refusal where they did not, or where it is decided. */
export async function withdrawRelease(ctx: AppContext, visitor: Visitor, { projectId, hash }: OneRelease, by: Actor): Promise<void> {
  const project = await requireVisibleProject(ctx, visitor, projectId)
  await ctx.store.project(project.id).write(async (tx) => {
    const asked = await tx.findRelease(hash)
    if (asked?.state !== 'asked' || asked.askedBy !== toActorId(by)) throw new Refusal('you do not ask for this text any more')
    await tx.deleteRelease(hash)
  })
  await recordEventAlone(ctx, by, toDeed('guard.withdraw', project, hash))
}

/** A text that somebody asked for, or that may pass, for whoever manages the account and for who asked. Throws one Refusal for all else. */
export async function requireRelease(ctx: AppContext, visitor: Visitor, { projectId, hash }: OneRelease): Promise<Release> {
  const project = await requireVisibleProject(ctx, visitor, projectId)
  const found = await ctx.store.project(project.id).findRelease(hash)
  const maySee = found !== undefined && (mayManage(visitor.member) || found.askedBy === `member:${visitor.member.id}`)
  if (!maySee) throw new Refusal('there is no such text')
  return found
}

/** What waits and what may pass, for whoever manages the account; of others what they asked for themselves, decided or not. */
export type Releases = { waiting: Release[]; allowed: Release[]; areMoreAllowed: boolean; own: Release[] }

/** The page of `allowed` begins after `offset` of them, and has at most `limit`. */
export async function listReleases(
  ctx: AppContext,
  visitor: Visitor,
  projectId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Releases> {
  const { id } = await requireVisibleProject(ctx, visitor, projectId)
  const project = ctx.store.project(id)
  const own = await project.listReleases({ askedBy: `member:${visitor.member.id}` }, { limit })
  if (!mayManage(visitor.member)) return { waiting: [], allowed: [], areMoreAllowed: false, own }
  const allowed = await project.listReleases({ state: 'allowed' }, { offset, limit: limit + 1 })
  const waiting = await project.listReleases({ state: 'asked' }, { limit: MAX_ASKED })
  return { waiting, allowed: allowed.slice(0, limit), areMoreAllowed: allowed.length > limit, own }
}

/** Lets one text pass the guard in a project, for the operator. Noted in the audit log. Throws a Refusal for what is no hash. */
export async function allowContent(ctx: AppContext, project: Project, hash: string, by: Actor): Promise<void> {
  requireHash(hash)
  const decided = { decidedBy: toActorId(by), decidedAt: ctx.clock.now() }
  await ctx.store.project(project.id).write(async (tx) => {
    const known = await tx.findRelease(hash)
    const asked = known ?? { hash, text: null, reason: null, why: null, askedBy: null, askedAt: null }
    if (known?.state !== 'allowed') await allow(tx, { ...asked, ...decided, state: 'allowed' })
  })
  await recordEventAlone(ctx, by, toDeed('record.allow', project, hash))
}

/** Declines what somebody asked for, for the operator. Throws a Refusal where nobody did. */
export async function declineContent(ctx: AppContext, project: Project, hash: string, by: Actor): Promise<void> {
  await ctx.store.project(project.id).write(async (tx) => {
    const asked = await tx.findRelease(hash)
    if (asked?.state !== 'asked') throw new Refusal(`nobody asks for the text '${requireHash(hash)}'`)
    await tx.saveRelease({ ...asked, decidedBy: toActorId(by), decidedAt: ctx.clock.now(), state: 'declined', text: null })
  })
  await recordEventAlone(ctx, by, toDeed('guard.decline', project, hash))
}

/** Takes back that a text may pass, for the operator. Throws a Refusal where it may not. */
export async function revokeContent(ctx: AppContext, project: Project, hash: string, by: Actor): Promise<void> {
  await ctx.store.project(project.id).write(async (tx) => {
    if ((await tx.findRelease(hash))?.state !== 'allowed') throw new Refusal(`the text '${requireHash(hash)}' may not pass`)
    await tx.deleteRelease(hash)
  })
  await recordEventAlone(ctx, by, toDeed('guard.revoke', project, hash))
}

function requireHash(hash: string): string {
  if (!isContentHash(hash)) throw new Refusal('the hash of a content has 64 digits, 0 to 9 and a to f')
  return hash
}

const toDeed = (act: string, { id, accountId }: Pick<Project, 'id' | 'accountId'>, hash: string): AuditEvent => ({
  act,
  accountId,
  projectId: id,
  target: hash,
})
