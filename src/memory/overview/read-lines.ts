import type { MemberActor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { toDay } from '../../account/usage/call-uses.ts'
import { ownKeysOnly } from '../../account/usage/count-calls.ts'
import { DataError, Notice, Refusal } from '../../errors.ts'
import type { Project } from '../../store/account.ts'
import type { StoredRecord } from '../../store/record.ts'
import { countToReview, type ReviewCounts } from '../records/lists/review-count.ts'
import { authorizeMemories, type Memory } from '../visibility.ts'
import { countPresent, type KeptCounts } from './kept-counts.ts'

/** How many records somebody saved, by their present status, as far as the reader may see them. */
export type ByStatus = Record<StoredRecord['status'], number>

export const NO_RECORDS: ByStatus = { unverified: 0, verified: 0, superseded: 0 }

/** The numbers of a project by author. */
export type AuthorCounts = KeptCounts<{ authors: Map<string, ByStatus> }>

type CountContext = AppContext & { authorCounts: AuthorCounts }

/**
 * For each of these projects, what every author saved in it that the reader may see: never a draft of somebody else. A
 * project is left out while many records of it are counted for the first time, and if the subscription forbids reading.
 */
export async function countByAuthor(
  ctx: CountContext,
  actor: MemberActor,
  projects: Project[],
): Promise<Map<string, Map<string, ByStatus>>> {
  const counted = new Map<string, Map<string, ByStatus>>()
  for (const [id, memory] of await authorizeReadable(ctx, actor, projects)) {
    const count = async () => ({ authors: await readAuthors(memory) })
    const counting = { kept: ctx.authorCounts, name: 'authors', count }
    const found = await unlessUnreadable(() => countPresent(ctx, memory, counting))
    if (found !== undefined) counted.set(id, found.authors)
  }
  return counted
}

async function readAuthors({ records, visible }: Memory): Promise<Map<string, ByStatus>> {
  const authors = new Map<string, ByStatus>()
  for (const { authorId, status, records: count } of await records.countByDay({ visible })) {
    const found = authors.get(authorId) ?? { ...NO_RECORDS }
    found[status] += count
    authors.set(authorId, found)
  }
  return authors
}

/** Number of days whose calls a line counts; the last one is today. */
export const LINE_DAYS = 7

/** What a list of projects shows of one. `memory` is undefined if it cannot be read. */
export type ProjectLine = {
  project: Project
  memory: { records: number; toReview: number } | undefined
  calls: number
  errors: number
}

type Context = AppContext & { reviewCounts: ReviewCounts }

/** A line for each of the projects, with counts of what the viewer may see. */
export async function readProjectLines(ctx: Context, actor: MemberActor, projects: Project[]): Promise<ProjectLine[]> {
  const memories = await authorizeReadable(ctx, actor, projects)
  const calls = await countCalls(ctx, actor, projects)
  const lines: ProjectLine[] = []
  for (const project of projects) {
    lines.push({
      project,
      memory: await readMemory(ctx, memories.get(project.id)),
      ...(calls.get(project.id) ?? { calls: 0, errors: 0 }),
    })
  }
  return lines
}

async function countCalls({ store, clock }: Context, actor: MemberActor, projects: Project[]) {
  const untilDay = toDay(clock.now())
  const projectIds = projects.map(({ id }) => id)
  const selection = { projectIds, memberId: ownKeysOnly(actor), fromDay: untilDay - LINE_DAYS + 1, untilDay }
  const byProject = new Map<string, { calls: number; errors: number }>()
  for (const { projectId, outcome, calls } of await store.control.countUse(selection, ['projectId', 'outcome'])) {
    const counted = byProject.get(projectId) ?? { calls: 0, errors: 0 }
    byProject.set(projectId, { calls: counted.calls + calls, errors: counted.errors + (outcome === 'ok' ? 0 : calls) })
  }
  return byProject
}

/** None if the subscription does not permit reading: pages about projects are shown all the same. */
async function authorizeReadable(
  ctx: AppContext,
  actor: MemberActor,
  projects: Project[],
): Promise<Map<string, Memory>> {
  try {
    return await authorizeMemories(ctx, actor, projects, 'read')
  } catch (error) {
    if (error instanceof Notice) return new Map()
    throw error
  }
}

/** What `read` resolves with; undefined for a project that is damaged or may not be read, so that others are shown. */
async function unlessUnreadable<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal || error instanceof DataError) return undefined
    throw error
  }
}

async function readMemory(ctx: Context, memory: Memory | undefined): Promise<ProjectLine['memory']> {
  if (memory === undefined) return undefined
  const { records, visible, account, projectId } = memory
  return unlessUnreadable(async () => {
    const { audiences } = await records.readIndexFacts(visible, undefined)
    return {
      records: audiences.reduce((sum, one) => sum + one.records, 0),
      toReview: await countToReview(ctx, { accountId: account.id, projectId, visible }),
    }
  })
}
