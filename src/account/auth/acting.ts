import type { Account, Member, Project } from '../../store/account.ts'
import { OPERATOR } from './author.ts'
import type { Caller } from './caller.ts'

/** As whom the console and the command line act in a project: a member, with their department; another author by id; or the operator. */
export function actingAs(account: Account, project: Project, member: Member | undefined, authorId = member?.id ?? OPERATOR): Caller {
  return {
    accountId: account.id,
    account,
    projectId: project.id,
    keyId: authorId,
    memberId: member?.id,
    authorId,
    departmentId: member?.departmentId ?? undefined,
    hosted: false,
    toolNames: 'dotted',
  }
}
