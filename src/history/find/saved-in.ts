import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { HistoryStore } from '../../store/history.ts'
import { toSourceNumber } from '../../store/history.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { findLines } from '../index/line-words.ts'
import { toFindable, toRecordWord } from '../index/words.ts'
import { readLine } from '../read/lines.ts'

/** A line of a session, by the session's id in this service. */
type SessionLine = { sessionId: string; line: number }
/** The session in which a record was saved: the actor's own with the line, or only that its author uploaded it. */
export type SavedIn = SessionLine | 'of its author'

/** Most passages that are looked at: those of forks and of texts that repeat an id. */
const MAX_PASSAGES = 8

/**
 * Where a record of the project was saved, if its answer stands in an uploaded session. Its place is told to the owner
 * of the session alone; others learn that the record's author has one. The caller has checked that the actor may see
 * the record.
 *
 * @throws Refusal for a project that the actor may not use.
 */
export async function findSavedIn(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, authorId }: { projectId: string; id: string; authorId: string },
): Promise<SavedIn | undefined> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId)
  if (!(await ctx.store.hasHistory(projectId))) return undefined
  const own = await findLine(store, ownerId, id)
  if (own !== undefined && (await mayRead(ctx, actor, projectId))) return own
  const isKnown = authorId === ownerId ? own : await findLine(store, authorId, id)
  return isKnown && 'of its author'
}

async function mayRead(ctx: AppContext, actor: Actor, projectId: string): Promise<boolean> {
  return authorizeHistory(ctx, actor, projectId, 'read').then(
    () => true,
    (error) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
}

/** The first line of an owner's sessions that says that a record was saved. */
async function findLine(store: HistoryStore, ownerId: string, id: string): Promise<SessionLine | undefined> {
  const groups = [[toRecordWord(ownerId, id)]]
  const [numbers = []] = await store.findPassages({ ownerId, groups, limit: MAX_PASSAGES })
  const passages = await store.readPassages(ownerId, numbers)
  const filter = { ownerId, numbers: [...new Set(numbers.map(toSourceNumber))], limit: MAX_PASSAGES }
  const sources = numbers.length === 0 ? [] : await store.listFoundSources(filter)
  for (const passage of passages.sort((a, b) => a.number - b.number)) {
    const source = sources.find(({ number }) => number === toSourceNumber(passage.number))
    for (const { line } of source === undefined ? [] : findLines(passage, groups)) {
      const stored = source && (await readLine(store, source, line))
      const findable = stored && (await toFindable(source, stored.text))
      if (findable?.records.includes(id)) return { sessionId: source.id, line }
    }
  }
  return undefined
}
