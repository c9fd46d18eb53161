import { OPERATOR } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Account, Department, Member } from '../../store/account.ts'
import { bytesOf } from '../../store/record.ts'
import type { Principal } from '../visibility.ts'
import { type Entry, type IncomingRecord, type Item, toIncoming } from './entry.ts'
import type { Section } from './sections.ts'

/**
 * The author under which an entry is saved. `unknownAuthor` is the id in the entry if the account does not know it and
 * the importer is used instead.
 */
type EntryAuthor = { author: Principal; unknownAuthor: string | undefined }

/** Finds the author under which an entry is saved. Throws a Refusal if nobody could see the record afterwards. */
type FindAuthor = (entry: Entry) => EntryAuthor

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

/**
 * One record of an import that is ready to be saved, or the reason why it is refused. `where` is the place of its text,
 * such as `line 7` or `docs/deploy.md, line 7`.
 */
export type Step =
  | { where: string; incoming: IncomingRecord; unknownAuthor: string | undefined; section?: Section | undefined }
  | { where: string; refused: string }

/**
 * Maximum records, and bytes of their contents, that are prepared and saved at a time: as many records as share a
 * transaction in SQLite.
 */
const MAX_BATCH_RECORDS = 128
const MAX_BATCH_BYTES = 128 * 1024

/** Yields the steps of an import in order, in batches. `workspace` overrides the workspace that an entry names. */
export async function* toSteps(
  ctx: AppContext,
  findAuthor: FindAuthor,
  workspace: string | undefined,
  items: AsyncIterable<Item>,
): AsyncGenerator<Step[]> {
  let steps: Step[] = []
  let size = 0
  for await (const item of items) {
    for await (const step of stepsOf(ctx, findAuthor, workspace, item)) {
      steps.push(step)
      size += 'incoming' in step ? bytesOf(step.incoming.draft) : 0
      if (steps.length < MAX_BATCH_RECORDS && size < MAX_BATCH_BYTES) continue
      yield steps
      steps = []
      size = 0
    }
  }
  if (steps.length > 0) yield steps
}

/** Yields the steps of one item. */
export async function* stepsOf(
  ctx: AppContext,
  findAuthor: FindAuthor,
  workspace: string | undefined,
  item: Item,
): AsyncGenerator<Step> {
  const { where } = item
  if ('refused' in item) return yield { where, refused: item.refused }
  for (const [at, entry] of item.entries.entries()) {
    const section = item.sections?.[at]
    const place = section === undefined ? where : `${where}, line ${section.start.line}`
    const step = await toStep(ctx, findAuthor, place, workspace === undefined ? entry : { ...entry, workspace })
    yield { ...step, section }
  }
}

async function toStep(ctx: AppContext, findAuthor: FindAuthor, where: string, entry: Entry): Promise<Step> {
  try {
    const { author, unknownAuthor } = findAuthor(entry)
    return { where, incoming: await toIncoming(ctx, author, entry), unknownAuthor }
  } catch (error) {
    return { where, refused: requireRefusal(error).message }
  }
}

/** Returns an error that is a Refusal, and throws every other. */
export function requireRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
