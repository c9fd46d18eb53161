import { Refusal } from '../../errors.ts'
import type { Member, Project } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'

/** How a project stands open to a member: by a live key they hold, or by somebody who opened it to them. */
export type ProjectAccess = 'key' | 'opened'

/** The ids of the projects that stand open to a member, with how. Owners and admins need none of this. `now` in milliseconds since 1970. */
export async function readAccess(control: ControlReads, member: Pick<Member, 'id'>, now: number): Promise<Map<string, ProjectAccess>> {
  const live = await control.listProjectsOfKeys(member.id, now)
  const opened = await control.listAccess(member.id)
  return new Map<string, ProjectAccess>([
    ...opened.map((projectId) => [projectId, 'opened'] as const),
    ...live.map((projectId) => [projectId, 'key'] as const),
  ])
}

/** Opens a project to a member, who may then see its shared records in the console and issue keys to themselves. */
export async function openToMember(ctx: AppContext, project: Project, member: Member, by: Actor): Promise<void> {
  if (project.accountId !== member.accountId) throw new Refusal(`'${member.email}' is no member of the project's account`)
  await change(ctx, project, member, by, true)
}

/** Takes that back. The keys they hold stay, and open it as long as they live. */
export function closeToMember(ctx: AppContext, project: Project, member: Member, by: Actor): Promise<void> {
  return change(ctx, project, member, by, false)
}

async function change(ctx: AppContext, project: Project, member: Member, by: Actor, open: boolean): Promise<void> {
  const { id: projectId, accountId } = project
  await ctx.store.control.write(async (tx) => {
    await (open ? tx.allowAccess(projectId, member.id) : tx.endAccess(projectId, member.id))
    const act = open ? 'project.open' : 'project.close'
    await recordEvent(ctx, tx, by, { act, accountId, projectId, target: member.id, details: { email: member.email } })
  })
}
