import { Refusal } from '../errors.ts'
import type { ControlReads, Member, Project } from '../store/control.ts'
import { type By, note } from './audit.ts'
import type { Means } from './means.ts'

/** How a project stands open to a member: by a live key they hold, or by somebody who opened it to them. */
export type Access = 'key' | 'opened'

/** The ids of the projects that stand open to a member, with how. Owners and admins need none of this. `now` in milliseconds since 1970. */
export async function readAccess(control: ControlReads, member: Pick<Member, 'id'>, now: number): Promise<Map<string, Access>> {
  const live = await control.listProjectsOfKeys(member.id, now)
  const opened = await control.listAccess(member.id)
  return new Map<string, Access>([
    ...opened.map((projectId) => [projectId, 'opened'] as const),
    ...live.map((projectId) => [projectId, 'key'] as const),
  ])
}

type Changing = Pick<Means, 'store' | 'clock'>

/** Opens a project to a member, who may then see its shared records in the console and issue keys to themselves. */
export async function openToMember(means: Changing, project: Project, member: Member, by: By): Promise<void> {
  if (project.accountId !== member.accountId) throw new Refusal(`'${member.email}' is no member of the project's account`)
  await change(means, project, member, by, true)
}

/** Takes that back. The keys they hold stay, and open it as long as they live. */
export function closeToMember(means: Changing, project: Project, member: Member, by: By): Promise<void> {
  return change(means, project, member, by, false)
}

async function change(means: Changing, project: Project, member: Member, by: By, open: boolean): Promise<void> {
  const { id: projectId, accountId } = project
  await means.store.control.write(async (tx) => {
    await (open ? tx.allowAccess(projectId, member.id) : tx.endAccess(projectId, member.id))
    const act = open ? 'project.open' : 'project.close'
    await note(means, tx, by, { act, accountId, projectId, target: member.id, details: { email: member.email } })
  })
}
