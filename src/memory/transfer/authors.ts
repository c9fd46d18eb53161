import { actingAs } from '../../account/auth/acting.ts'
import { OPERATOR } from '../../account/auth/author.ts'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Account, Department, Member, Project } from '../../store/account.ts'
import type { Entry } from './entry.ts'

/** Whoever saves an entry. `unknownAuthor` where it names one whom the account does not know, and the importer stands in. */
export type Saver = { caller: Caller; unknownAuthor: string | undefined }

/** Finds who saves an entry. Throws a Refusal where nobody could see the record afterwards. */
export type FindSaver = (entry: Entry) => Saver

/** Authors of an account as they are now: members, removed ones too, and service keys. Entries without an author are the importer's. */
export async function createFindSaver(
  ctx: AppContext,
  account: Account,
  project: Project,
  importer: Member | undefined,
): Promise<FindSaver> {
  const { store } = ctx
  const members = new Map((await store.control.listMembers(account.id)).map((member) => [member.id, member]))
  const keys = await listKeyIds(ctx, account)
  const departments = await store.control.listDepartments(account.id)
  const isKnown = (id: string | undefined) => id !== undefined && (id === OPERATOR || members.has(id) || keys.has(id))

  return ({ author_id: named, scope, department }) => {
    const authorId = named !== undefined && isKnown(named) ? named : (importer?.id ?? OPERATOR)
    const unknownAuthor = isKnown(named) ? undefined : named
    if (scope === 'draft') requireReader(unknownAuthor, authorId)
    const caller = actingAs(account, project, members.get(authorId), authorId)
    if (department === undefined) return { caller, unknownAuthor }
    return { caller: { ...caller, departmentId: requireDepartment(departments, department).id }, unknownAuthor }
  }
}

function requireReader(unknownAuthor: string | undefined, authorId: string): void {
  if (unknownAuthor !== undefined) throw new Refusal('its author is not in this account, and only its author sees a draft')
  if (authorId === OPERATOR) throw new Refusal("scope 'draft' needs --member: only its author sees a draft")
}

function requireDepartment(departments: Department[], ref: string): Department {
  const found = departments.find(({ id }) => id === ref) ?? departments.find(({ name }) => name === ref)
  if (found === undefined) throw new Refusal(`the account has no department '${ref}'`)
  return found
}

async function listKeyIds({ store }: AppContext, account: Account): Promise<Set<string>> {
  const projects = await store.control.listProjects(account.id)
  const keys = await Promise.all(projects.map(({ id }) => store.control.listKeys(id)))
  return new Set(keys.flat().map(({ id }) => id))
}
