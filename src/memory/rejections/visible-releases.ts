import { type MemberActor, mayManage } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { requireVisibleProject } from '../../account/organizations/project-access.ts'
import { Refusal } from '../../errors.ts'
import type { Release } from '../../store/release.ts'
import { MAX_ASKED, type ReleaseRef } from './releases.ts'

/** The member who reads, and their account. */
type Reader = Pick<MemberActor, 'member' | 'account'>

/**
 * A requested or allowed text, for those who manage the account and for the member who requested it.
 *
 * @throws Refusal for anybody else, with the same message as for a text that does not exist.
 */
export async function requireRelease(
  ctx: AppContext,
  reader: Reader,
  { projectId, hash }: ReleaseRef,
): Promise<Release> {
  const project = await requireVisibleProject(ctx, reader, projectId)
  const found = await ctx.store.project(project.id).findRelease(hash)
  const maySee = found !== undefined && (mayManage(reader.member) || found.askedBy === `member:${reader.member.id}`)
  if (!maySee) throw new Refusal('there is no such text')
  return found
}

/**
 * For those who manage the account: the texts that wait, a page of the allowed ones, and how many are allowed. `own`:
 * what the member requested, decided or not.
 */
type Releases = { waiting: Release[]; allowed: Release[]; allowedCount: number; own: Release[] }

/** The page of `allowed` begins after `offset` texts and has at most `limit`. */
export async function listReleases(
  ctx: AppContext,
  reader: Reader,
  projectId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Releases> {
  const { id } = await requireVisibleProject(ctx, reader, projectId)
  const project = ctx.store.project(id)
  const own = await project.listReleases({ askedBy: `member:${reader.member.id}` }, { limit })
  if (!mayManage(reader.member)) return { waiting: [], allowed: [], allowedCount: 0, own }
  const allowed = await project.listReleases({ state: 'allowed' }, { offset, limit })
  const allowedCount = await project.countReleases({ state: 'allowed' })
  const waiting = await project.listReleases({ state: 'asked' }, { limit: MAX_ASKED })
  return { waiting, allowed, allowedCount, own }
}
