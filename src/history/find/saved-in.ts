import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { toSourceNumber } from '../../store/history.ts'
import type { HistoryStore } from '../../store/history-verbs.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { findLines } from '../index/line-words.ts'
import { toFindable, toRecordWord } from '../index/words.ts'
import { readLine } from '../read/session.ts'

/** A line of a session, by the session's id in this service. */
type SessionLine = { sessionId: string; line: number }
/** The session in which a record was saved: the actor's own with the line, or only that its author uploaded it. */
export type SavedIn = SessionLine | 'of its author'

type SavedRecord = { id: string; authorId: string; sourceId: string | null }

/** Most passages that are looked at: those of forks and of texts that repeat an id. */
const MAX_PASSAGES = 8

/**
 * Where a record of the project was saved, if its answer, or a line that it was made of, stands in an uploaded session.
 * Its place is told to the owner of the session alone; others learn that the record's author has one. The caller has
 * checked that the actor may see the record.
 *
 * @throws Refusal for a project that the actor may not use.
 */
export async function findSavedIn(
  ctx: AppContext,
  actor: Actor,
  { projectId, ...record }: { projectId: string } & SavedRecord,
): Promise<SavedIn | undefined> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId)
  if (!(await ctx.store.hasHistory(projectId))) return undefined
  const own = await findLine(store, ownerId, record)
  if (own !== undefined && (await mayRead(ctx, actor, projectId))) return own
  const isKnown = record.authorId === ownerId ? own : await findLine(store, record.authorId, record)
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

/** The source that the console gives a record made of lines of a session. */
const CHOSEN_LINES = /^session:([a-z-]{1,32})\/(.{1,256})#(\d{1,9})/

/** The source that the console gives a record that was kept from a suggestion. */
const SUGGESTION = /^session:([0-9a-f-]{36})$/

/** The line of an owner's session with the sentence that a record was kept from. */
async function findKeptLine(store: HistoryStore, ownerId: string, sourceId: string | null) {
  const [, id] = SUGGESTION.exec(sourceId ?? '') ?? []
  const found = id === undefined ? undefined : await store.findSuggestion(id)
  const isKept = found?.ownerId === ownerId && found.state === 'kept'
  return isKept ? { sessionId: found.sourceId, line: found.line } : undefined
}

/** The first of the lines of an owner's session that a record was made of. */
async function findChosenLine(store: HistoryStore, ownerId: string, sourceId: string | null) {
  const [, assistant, session = '', line] = CHOSEN_LINES.exec(sourceId ?? '') ?? []
  const named = assistant === undefined ? [] : await store.findSourcesNamed(ownerId, session, MAX_PASSAGES)
  const source = named.find((one) => one.assistant === assistant && one.sessionId === session)
  return source && { sessionId: source.id, line: Number(line) }
}

/** The first line of an owner's sessions that a record was made of, or that says that it was saved. */
async function findLine(
  store: HistoryStore,
  ownerId: string,
  { id, authorId, sourceId }: SavedRecord,
): Promise<SessionLine | undefined> {
  const kept = authorId === ownerId ? await findKeptLine(store, ownerId, sourceId) : undefined
  const chosen = kept ?? (await findChosenLine(store, ownerId, sourceId))
  if (chosen !== undefined) return chosen
  const groups = [[toRecordWord(ownerId, id)]]
  const [numbers = []] = await store.findPassages({ ownerId, groups, limit: MAX_PASSAGES })
  const passages = await store.readPassages(ownerId, numbers)
  const filter = { ownerId, numbers: [...new Set(numbers.map(toSourceNumber))], limit: MAX_PASSAGES }
  const sources = numbers.length === 0 ? [] : await store.listFoundSources(filter)
  for (const passage of passages.sort((a, b) => a.number - b.number)) {
    const source = sources.find(({ number }) => number === toSourceNumber(passage.number))
    for (const { line } of source === undefined ? [] : findLines(passage, groups)) {
      const stored = source && (await readLine(store, source, line))
      const findable = stored && toFindable(source, await parseLineInTurn(stored.text))
      if (source && findable?.records.includes(id)) return { sessionId: source.id, line }
    }
  }
  return undefined
}
