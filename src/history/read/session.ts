import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { HistorySource } from '../../store/history.ts'
import type { HistoryStore } from '../../store/history-verbs.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'
import { createTextReader } from '../blocks.ts'
import { UploadRefusal } from '../upload/upload-refusal.ts'

/** A session as people and programs see it; times are ISO 8601. */
export type Session = {
  /** Its id in this service. */
  id: string
  assistant: string
  /** Its id in the assistant. */
  session_id: string
  /** What identifies its history for the assistant's machine: for most, the name of its file. */
  source_key: string
  kind: 'main' | 'subagent'
  parent_session_id: string | null
  /** In plain text. */
  title: string | null
  cwd: string | null
  git_branch: string | null
  app_version: string | null
  first_at: string | null
  last_at: string | null
  received_at: string | null
  lines: number
  /** When earlier lines of it were erased. */
  erased_at: string | null
}

export function toSession(source: HistorySource): Session {
  return {
    id: source.id,
    assistant: source.assistant,
    session_id: source.sessionId,
    source_key: source.sourceKey,
    kind: source.kind,
    parent_session_id: source.parentSessionId,
    title: source.title === null ? null : toPlainText(source.title),
    cwd: source.cwd,
    git_branch: source.gitBranch,
    app_version: source.appVersion,
    first_at: toIsoTimeOrNull(source.firstAt),
    last_at: toIsoTimeOrNull(source.lastAt),
    received_at: toIsoTimeOrNull(source.receivedAt),
    lines: source.lines,
    erased_at: toIsoTimeOrNull(source.erasedAt),
  }
}

/** A title without the marks of Markdown: links, code, emphasis, and what a heading, quotation, list or fence begins with. */
function toPlainText(title: string): string {
  const plain = title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:(?:#{1,6}|>|[-*+]) +|```\w* *)+/, '')
    .replace(/(\*\*|~~|`+)(?=\S)(.+?)\1/g, '$2')
    .trim()
  return plain === '' ? title : plain
}

/** An id or its beginning, of four characters or more, so that none is meant by accident. */
const BEGINNING = /^[!-~]{4,256}$/
/** Maximum number of sessions that are compared, and named in a refusal. */
const MAX_NAMED = 5

/**
 * The source with lines that the owner means: its id, the assistant's id of its session, or the beginning of either, of
 * four characters or more, if nothing else of theirs begins so.
 *
 * @throws UploadRefusal, the same for one of somebody else and for none; Refusal if several are meant.
 */
export async function requireOwnSession(
  ctx: AppContext,
  { store, ownerId, projectId }: Histories,
  named: string,
): Promise<HistorySource> {
  if (!(await ctx.store.hasHistory(projectId))) throw unknownSession()
  const source = await store.findSource({ id: named })
  if (source !== undefined && source.ownerId === ownerId && source.forgottenAt === null && source.lines > 0)
    return source
  return findByBeginning(store, ownerId, named)
}

async function findByBeginning(store: HistoryStore, ownerId: string, named: string): Promise<HistorySource> {
  const found = BEGINNING.test(named) ? await store.findSourcesNamed(ownerId, named, MAX_NAMED + 1) : []
  // Some assistants give subagents the id of their session.
  const ofSession = found.filter(({ sessionId }) => sessionId === named)
  const main = ofSession.filter(({ kind }) => kind === 'main')
  const meant = [main, ofSession, found].find(({ length }) => length > 0) ?? []
  const [first, ...others] = meant
  if (first === undefined) throw unknownSession()
  if (others.length === 0) return first
  const ids = meant.slice(0, MAX_NAMED).map(({ id, assistant, sessionId }) => `${id} (${assistant} ${sessionId})`)
  throw new Refusal(`'${named}' names several sessions: ${ids.join(', ')}${meant.length > MAX_NAMED ? ', …' : ''}`)
}

const unknownSession = () => new UploadRefusal('unknown_source', 'there is no such session')

/** A line as stored. */
export type StoredLine = { line: number; text: string }

const BATCH_LINES = 100

/**
 * UTF-16 units of a line up to which it is parsed for a page of several. It may have 1.25 Mi, though assistants hardly
 * ever write so much; with lines of a megabyte, two readers at once made turns of 29 ms (bench/stall.ts).
 */
export const MAX_LENGTH_AMONG_OTHERS = 512 * 1_024

const utf8 = new TextDecoder()

/** The lines of a source, from a number on, in order. Omits lines that are erased meanwhile. */
export async function* readLines(
  store: HistoryStore,
  source: HistorySource,
  from: number,
): AsyncGenerator<StoredLine, void> {
  const read = createTextReader(store)
  for (let next = from; ; ) {
    const places = await store.listLines({ sourceId: source.id, from: next, limit: BATCH_LINES })
    for (const place of places) {
      const bytes = await read(place)
      // A line that was moved to another block after its place was read.
      const stored = bytes
        ? { line: place.line, text: utf8.decode(bytes) }
        : await readLine(store, source, place.line, read)
      if (stored !== undefined) yield stored
      next = place.line + 1
    }
    if (places.length < BATCH_LINES) return
  }
}

/** One line of a source; undefined if it is erased. `read` is for several lines, which may be in one block. */
export async function readLine(
  store: HistoryStore,
  { id }: Pick<HistorySource, 'id'>,
  line: number,
  read = createTextReader(store),
): Promise<StoredLine | undefined> {
  const [place] = await store.listLines({ sourceId: id, from: line, limit: 1 })
  const bytes = place?.line === line ? await read(place) : undefined
  return bytes && { line, text: utf8.decode(bytes) }
}

/** Length of a piece of an export, unless one line is longer. */
const PIECE_LENGTH = 64 * 1024

/**
 * A session of the actor as JSON Lines: the lines as the assistant wrote them, except what was redacted or reduced.
 * `pieces` generates them as they are read.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function exportSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ session: Session; pieces: () => AsyncGenerator<string, void> }> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  async function* pieces(): AsyncGenerator<string, void> {
    let piece = ''
    for await (const { text } of readLines(histories.store, source, 1)) {
      piece += `${text}\n`
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }
  return { session: toSession(source), pieces }
}
