import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { requireOwnSession } from './own-session.ts'
import { readLines } from './read-lines.ts'
import { type Session, toSession } from './session.ts'
import { type TranscriptLine, toTranscriptLine } from './transcript.ts'

/** A line that contains the text, with the context of the first match. */
export type Hit = Pick<TranscriptLine, 'line' | 'role' | 'at' | 'tool'> & { before: string; match: string; after: string }

/** `next` is the line to continue from; undefined at the end. */
export type Hits = { session: Session; hits: Hit[]; next: number | undefined }

const MAX_PATTERN_CHARACTERS = 1_000
/** Maximum text searched for one answer, in UTF-16 units: at most a second. */
const MAX_EXAMINED_LENGTH = 32 * 2 ** 20
/** Maximum characters of a line that are searched. */
const MAX_LINE_CHARACTERS = 4 * 2 ** 20
const CONTEXT_CHARACTERS = 120

type Asked = { projectId: string; id: string; text: string; from?: number | undefined; limit: number; all?: boolean | undefined }

/**
 * The lines of a session of the actor that contain a text literally, ignoring case. With `all`, also lines that are not part of the conversation.
 *
 * @throws Refusal for an empty text or one of more than 1,000 characters, and if there is no such session; Notice where the subscription forbids it.
 */
export async function searchSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, text, from = 1, limit, all = false }: Asked,
): Promise<Hits> {
  const pattern = text.trim().toLowerCase()
  if (pattern === '') throw new Refusal('the text to search for must not be empty')
  if (pattern.length > MAX_PATTERN_CHARACTERS) throw new Refusal(`the text to search for has at most ${MAX_PATTERN_CHARACTERS} characters`)
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const hits: Hit[] = []
  let examined = 0
  let next: number | undefined
  for await (const stored of readLines(histories.store, source, from)) {
    if (hits.length >= limit || examined >= MAX_EXAMINED_LENGTH) {
      next = stored.line
      break
    }
    examined += stored.text.length
    const shown = toTranscriptLine(source, stored, { all, most: MAX_LINE_CHARACTERS })
    const hit = shown && findIn(shown, pattern)
    if (hit !== undefined) hits.push(hit)
  }
  return { session: toSession(source), hits, next }
}

function findIn({ text, ...rest }: TranscriptLine, pattern: string): Hit | undefined {
  const lower = text.toLowerCase()
  const place = lower.indexOf(pattern)
  if (place < 0) return undefined
  const { line, role, at, tool } = rest
  const fields = { line, role, at, ...(tool !== undefined && { tool }) }
  // Some letters are longer in lower case, so that positions would not match the original text.
  const shown = lower.length === text.length ? text : lower
  const end = place + pattern.length
  return {
    ...fields,
    before: shown.slice(Math.max(0, place - CONTEXT_CHARACTERS), place).toWellFormed(),
    match: shown.slice(place, end).toWellFormed(),
    after: shown.slice(end, end + CONTEXT_CHARACTERS).toWellFormed(),
  }
}
