import { Refusal } from '../../errors.ts'
import type { Project } from '../../store/account.ts'
import type { MemberActor } from '../auth/actor.ts'
import { mayManage } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'
import { readAccess } from './project-access.ts'

/** The projects a visitor may open, by name: owners and admins all of their account, members those that a key of theirs or somebody opens to them. */
export async function listVisibleProjects(
  { store, clock }: AppContext,
  { member, account }: Pick<MemberActor, 'member' | 'account'>,
): Promise<Project[]> {
  const projects = (await store.control.listProjects(account.id)).filter(({ removedAt }) => removedAt === null)
  const sorted = projects.toSorted((a, b) => a.name.localeCompare(b.name))
  if (mayManage(member)) return sorted
  const access = await readAccess(store.control, member, clock.now())
  return sorted.filter(({ id }) => access.has(id))
}

/** One of them. Throws one Refusal for every other id: of another account, of a removed project, of none. */
export async function requireVisibleProject(
  ctx: AppContext,
  visitor: Pick<MemberActor, 'member' | 'account'>,
  id: string,
): Promise<Project> {
  const found = (await listVisibleProjects(ctx, visitor)).find((project) => project.id === id)
  if (found === undefined) throw new Refusal('there is no such project, or it is not open to you')
  return found
}
