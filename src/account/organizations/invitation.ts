import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { makeRandomSecret, sha256Hex } from '../../secrets/secret.ts'
import type { Account, Department, Project, Role } from '../../store/account.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import { type Actor, requireManager, requireMayChange, toActorId, toMemberActor } from '../auth/actor.ts'
import { openSession } from '../auth/session.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { newMember, refuseKnownEmail, requireMemberRoom } from './member.ts'
import { normalizeEmail } from './names.ts'

const MAX_VALIDITY_MS = 30 * DAY_MS
/** Maximum number of invitations of an account, which are read together. */
const MAX_INVITATIONS = 500

/** The path of an invitation's link, without its token. */
export const INVITATION_PATH = '/console/join/'

type NewInvitation = {
  account: Account
  email: string
  role: Role
  department?: Department | undefined
  /** Opened to the person once they join. */
  projects?: Project[]
  validityMs: number
}

/**
 * Invites a person by a link that works once. Returns the link's token; only a digest of it is stored. Replaces an
 * earlier invitation of the same e-mail address.
 *
 * @throws Refusal for an actor who may not invite to this role, for the e-mail address of a member, a department or
 *   project of another account, or a validity beyond 30 days, and if 500 invitations are open or the account can have no more
 *   members.
 */
export async function inviteMember(
  ctx: AppContext,
  actor: Actor,
  input: NewInvitation,
): Promise<{ token: string; invitation: Invitation }> {
  const { account, validityMs } = input
  requireMayChange(actor, account.id, input.role)
  if (validityMs <= 0 || validityMs > MAX_VALIDITY_MS)
    throw new Refusal('an invitation is valid for at most 30 days', 'days')
  const projectIds = (input.projects ?? []).map(({ id }) => id)
  if (input.projects?.some((project) => project.accountId !== account.id))
    throw new Refusal('an invitation opens projects of its own account alone', 'project')
  const token = makeRandomSecret(ctx.random)
  const { id, accountId, email, role, departmentId, createdAt } = newMember(ctx, { ...input, name: 'invited' })
  const invited = { id, accountId, email, role, departmentId, projectIds, createdAt, expiresAt: createdAt + validityMs }
  const invitation = { ...invited, digest: sha256Hex(token), madeBy: toActorId(actor) }
  await ctx.store.control.write(async (tx) => {
    await requireMayInvite(tx, actor, accountId, email, role)
    await refuseKnownEmail(tx, accountId, email)
    await tx.delete('invitations', { accountId, email })
    await requireRoom(tx, accountId, createdAt)
    await requireMemberRoom(tx, accountId)
    await tx.insert('invitations', invitation)
    const details = { email, role, department: departmentId, ...toDetails(projectIds) }
    await recordEvent(ctx, tx, actor, toEvent('member.invite', invitation, details))
  })
  return { token, invitation }
}

/** Makes room by erasing invitations that expired, which are listed until then. */
async function requireRoom(tx: ControlWrites, accountId: string, now: number): Promise<void> {
  const isFull = async () => (await tx.count('invitations', { accountId })) >= MAX_INVITATIONS
  if (!(await isFull())) return
  await tx.delete('invitations', { accountId, expiresAt: { before: now + 1 } })
  if (await isFull())
    throw new Refusal(`an account has at most ${MAX_INVITATIONS} open invitations; withdraw some first`)
}

/** An invitation and its account. */
type Invited = { invitation: Invitation; account: Account }

/**
 * The invitation behind a link.
 *
 * @throws Refusal, the same for a link that was never made, is used, replaced, withdrawn or expired, and for one of a
 *   suspended account.
 */
export async function requireInvitation({ store, clock }: AppContext, token: string): Promise<Invited> {
  return findInvited(store.control, token, clock.now())
}

/** `clientIp` of the browser, `device` as `Session` names it. */
type Acceptance = { token: string; name: string; password: string; clientIp: string; device?: string | null }

/**
 * Makes the invited person a member, with the name and password that they chose, and begins their session. The link
 * cannot be used again. Returns the session's token, and the first project that was opened to them.
 *
 * @throws Refusal as `requireInvitation`, for a bad name or password, and if the account can have no more members.
 *   TooMany for too many attempts from this client.
 */
export async function acceptInvitation(
  ctx: AppContext,
  { token, name, password, clientIp, device = null }: Acceptance,
): Promise<{ session: string; projectId: string | undefined }> {
  await requireInvitation(ctx, token)
  await consumeAttempt(ctx, 'password from', clientIp)
  const hash = await ctx.passwords.hash(password)
  return ctx.store.control.write(async (tx) => {
    const { invitation, account } = await findInvited(tx, token, ctx.clock.now())
    const { accountId, email, role, departmentId } = invitation
    const departments = await tx.list('departments', { accountId })
    await refuseKnownEmail(tx, accountId, email)
    const member = newMember(ctx, {
      account,
      email,
      name,
      role,
      department: departments.find(({ id }) => id === departmentId),
    })
    await requireMemberRoom(tx, accountId)
    await tx.delete('invitations', { accountId, email })
    await tx.insert('members', member)
    await tx.save('passwords', { memberId: member.id, hash })
    const opened = await openProjects(tx, invitation, member.id)
    const actor = toMemberActor({ member, account }, clientIp)
    const details = { email, ...toDetails(opened) }
    await recordEvent(ctx, tx, actor, toEvent('member.join', member, details))
    return { session: await openSession(ctx, tx, actor, device), projectId: opened[0] }
  })
}

const toDetails = (projectIds: string[]) => (projectIds.length === 0 ? {} : { projects: projectIds.join(' ') })

/** Opens the projects of an invitation that are not removed, and returns their ids. */
async function openProjects(
  tx: ControlWrites,
  { accountId, projectIds }: Invitation,
  memberId: string,
): Promise<string[]> {
  const found = projectIds.length === 0 ? [] : await tx.list('projects', { accountId, id: projectIds, removedAt: null })
  for (const { id: projectId } of found) await tx.save('access', { memberId, projectId })
  return found.map(({ id }) => id)
}

/**
 * Withdraws the invitation of an e-mail address and invalidates its link.
 *
 * @throws Refusal for an actor who could not have made the invitation, and if there is none.
 */
export async function withdrawInvitation(
  ctx: AppContext,
  actor: Actor,
  { account, email: given }: { account: Account; email: string },
): Promise<void> {
  const email = normalizeEmail(given)
  await ctx.store.control.write(async (tx) => {
    await requireMayInvite(tx, actor, account.id, email)
    if ((await tx.delete('invitations', { accountId: account.id, email })) === 0)
      throw new Refusal(`no invitation of '${given}'`)
    await recordEvent(ctx, tx, actor, { act: 'member.uninvite', accountId: account.id, details: { email } })
  })
}

async function findInvited(reads: ControlReads, token: string, now: number): Promise<Invited> {
  const invitation = await reads.find('invitations', { digest: sha256Hex(token) })
  const account =
    invitation && invitation.expiresAt > now ? await reads.find('accounts', { id: invitation.accountId }) : undefined
  if (invitation === undefined || account?.suspendedAt !== null)
    throw new Refusal('this invitation is no longer valid; ask for a new one')
  return { invitation, account }
}

/**
 * Requires an actor who may invite people of these roles by this e-mail address, or withdraw that. An invitation of the
 * same address is replaced by the new one, so its role counts too.
 *
 * @throws Refusal for everybody else.
 */
async function requireMayInvite(
  reads: Pick<ControlReads, 'list'>,
  actor: Actor,
  accountId: string,
  email: string,
  ...roles: Role[]
): Promise<void> {
  requireManager(actor, accountId)
  const replaced = await reads.list('invitations', { accountId, email })
  requireMayChange(actor, accountId, ...roles, ...replaced.map(({ role }) => role))
}
