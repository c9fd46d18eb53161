import type { MemberActor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import type { Project } from '../../store/account.ts'
import type { StoredRecord } from '../../store/record.ts'
import type { Memory } from '../visibility.ts'
import { countPresent, type KeptCounts } from './kept-counts.ts'
import { authorizeReadable, unlessUnreadable } from './read-lines.ts'

/** How many records somebody saved, by their present status, as far as the reader may see them. */
export type ByStatus = Record<StoredRecord['status'], number>

export const NO_RECORDS: ByStatus = { unverified: 0, verified: 0, superseded: 0 }

/** The numbers of a project by author. */
export type AuthorCounts = KeptCounts<{ authors: Map<string, ByStatus> }>

type Context = AppContext & { authorCounts: AuthorCounts }

/**
 * For each of these projects, what every author saved in it that the reader may see: never a draft of somebody else. A
 * project is left out while many records of it are counted for the first time, and if the subscription forbids reading.
 */
export async function countByAuthor(
  ctx: Context,
  actor: MemberActor,
  projects: Project[],
): Promise<Map<string, Map<string, ByStatus>>> {
  const counted = new Map<string, Map<string, ByStatus>>()
  for (const [id, memory] of await authorizeReadable(ctx, actor, projects)) {
    const found = await unlessUnreadable(() => countOne(ctx, memory))
    if (found !== undefined) counted.set(id, found.authors)
  }
  return counted
}

async function countOne(ctx: Context, memory: Memory) {
  const count = async () => ({ authors: await readAuthors(memory) })
  return countPresent(ctx, memory, { kept: ctx.authorCounts, name: 'authors', count })
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
