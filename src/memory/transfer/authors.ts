import { OPERATOR } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Account, Department, Member } from '../../store/account.ts'
import type { Principal } from '../visibility.ts'
import type { Entry } from './entry.ts'

/**
 * The author under which an entry is saved. `unknownAuthor` is the id in the entry if the account does not know it and
 * the importer is used instead.
 */
type EntryAuthor = { author: Principal; unknownAuthor: string | undefined }

/** Finds the author under which an entry is saved. Throws a Refusal if nobody could see the record afterwards. */
export type FindAuthor = (entry: Entry) => EntryAuthor

/**
 * Reads the authors of an account: its members, also removed ones, and its keys. An entry that names none of them is
 * saved under the importer, or under the operator if there is none.
 */
export async function createFindAuthor(
  { store: { control } }: AppContext,
  account: Account,
  importer: Member | undefined,
): Promise<FindAuthor> {
  const members = new Map(
    (await control.list('members', { accountId: account.id })).map((member) => [member.id, member]),
  )
  const projects = await control.list('projects', { accountId: account.id })
  const keys = new Set((await control.list('keys', { projectId: projects.map(({ id }) => id) })).map(({ id }) => id))
  const departments = await control.list('departments', { accountId: account.id })
  const isKnown = (id: string | undefined) => id !== undefined && (id === OPERATOR || members.has(id) || keys.has(id))

  return ({ author_id: named, scope, department }) => {
    const authorId = named !== undefined && isKnown(named) ? named : (importer?.id ?? OPERATOR)
    const unknownAuthor = isKnown(named) ? undefined : named
    if (scope === 'draft') requireReader(unknownAuthor, authorId)
    const own = members.get(authorId)?.departmentId ?? undefined
    const departmentId = department === undefined ? own : requireDepartment(departments, department).id
    return { author: { authorId, departmentId }, unknownAuthor }
  }
}

function requireReader(unknownAuthor: string | undefined, authorId: string): void {
  if (unknownAuthor !== undefined)
    throw new Refusal('its author is not in this account, and only its author sees a draft')
  if (authorId === OPERATOR) throw new Refusal("scope 'draft' needs --member: only its author sees a draft")
}

function requireDepartment(departments: Department[], ref: string): Department {
  const found = departments.find(({ id }) => id === ref) ?? departments.find(({ name }) => name === ref)
  if (found === undefined) throw new Refusal(`the account has no department '${ref}'`)
  return found
}
