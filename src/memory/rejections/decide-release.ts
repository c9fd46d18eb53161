import { type Actor, toActorId } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectWrites } from '../../store/project.ts'
import type { Release } from '../../store/release.ts'
import { openManaged, type ReleaseRef, recordRelease, requireHash } from './releases.ts'

/** Texts that may be allowed at a time in a project. */
const MAX_ALLOWED = 1_000

/**
 * Allows or declines a requested text. A declined text is erased. The operator may also allow a text that nobody
 * requested, by its hash alone.
 *
 * @throws Refusal for an actor who does not manage the account, for an admin who requested the text themselves, for a
 *   text that is not requested, and if too many texts are allowed.
 */
export async function decideRelease(
  ctx: AppContext,
  actor: Actor,
  { projectId, hash, allowed }: ReleaseRef & { allowed: boolean },
): Promise<void> {
  const memory = await openManaged(ctx, actor, projectId, 'write')
  requireHash(hash)
  const decided = { decidedBy: toActorId(actor), decidedAt: ctx.clock.now() }
  await memory.records.write(async (tx) => {
    const known = await tx.findRelease(hash)
    if (allowed && actor.kind === 'operator') return allow(tx, { ...(known ?? toUnasked(hash)), ...decided })
    if (known?.state !== 'asked') throw new Refusal('nobody asks for this text any more; look again')
    if (!allowed) return tx.saveRelease({ ...known, ...decided, state: 'declined', text: null })
    refuseOwn(actor, known)
    return allow(tx, { ...known, ...decided })
  })
  await recordRelease(ctx, actor, memory, allowed ? 'record.allow' : 'guard.decline', hash)
}

const toUnasked = (hash: string): Release => ({
  hash,
  state: 'asked',
  text: null,
  reason: null,
  why: null,
  askedBy: null,
  askedAt: null,
  decidedBy: null,
  decidedAt: null,
})

function refuseOwn(actor: Actor, { askedBy }: Release): void {
  const isOwner = actor.kind === 'member' && actor.member.role === 'owner'
  if (!isOwner && askedBy === toActorId(actor))
    throw new Refusal('another admin, or an owner, decides about what you asked for')
}

async function allow(tx: ProjectWrites, release: Release): Promise<void> {
  if (release.state === 'allowed') return
  if ((await tx.countReleases({ state: 'allowed' })) >= MAX_ALLOWED)
    throw new Refusal(`at most ${MAX_ALLOWED} texts may pass; revoke some first`)
  await tx.saveRelease({ ...release, state: 'allowed' })
}
