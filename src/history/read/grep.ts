import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { readLines, requireOwnSession, type Session, toSession } from './session.ts'
import { type TranscriptLine, toTranscriptLine } from './transcript.ts'

/** A line that contains the text, with the context of the first match. */
export type Hit = Pick<TranscriptLine, 'line' | 'role' | 'at' | 'tool'> & {
  before: string
  match: string
  after: string
}

/** `next` is the line to continue from; undefined at the end. */
export type Hits = { session: Session; hits: Hit[]; next: number | undefined }

const MAX_PATTERN_CHARACTERS = 1_000
/** Maximum text searched for one answer, in UTF-16 units: at most a second. */
const MAX_EXAMINED_LENGTH = 32 * 2 ** 20
/** Maximum characters of a line that are searched. */
const MAX_LINE_CHARACTERS = 4 * 2 ** 20
const CONTEXT_CHARACTERS = 120
/** Searched at a time. The slowest pattern, one that nearly matches everywhere, takes about 3 ms for so many. */
const PIECE_CHARACTERS = 8 * 1_024

type Asked = {
  projectId: string
  id: string
  text: string
  from?: number | undefined
  limit: number
  all?: boolean | undefined
}

/**
 * The lines of a session of the actor that contain a text literally, ignoring case. With `all`, also lines that are not
 * part of the conversation.
 *
 * @throws Refusal for an empty text or one of more than 1,000 characters, and if there is no such session; Notice where
 *   the subscription forbids it.
 */
export async function searchSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, text, from = 1, limit, all = false }: Asked,
): Promise<Hits> {
  const pattern = text.trim().toLowerCase()
  if (pattern === '') throw new Refusal('the text to search for must not be empty')
  if (pattern.length > MAX_PATTERN_CHARACTERS)
    throw new Refusal(`the text to search for has at most ${MAX_PATTERN_CHARACTERS} characters`)
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
    const shown = await toTranscriptLine(source, stored, { all, most: MAX_LINE_CHARACTERS })
    const hit = shown && (await findIn(shown, pattern))
    if (hit !== undefined) hits.push(hit)
  }
  return { session: toSession(source), hits, next }
}

async function findIn(shown: TranscriptLine, pattern: string): Promise<Hit | undefined> {
  for (let start = 0; start < shown.text.length; start += PIECE_CHARACTERS) {
    await yieldIfDue()
    const piece = shown.text.slice(start, start + PIECE_CHARACTERS + pattern.length)
    const lower = piece.toLowerCase()
    const place = lower.indexOf(pattern)
    if (place < 0) continue
    // Some letters are longer in lower case, so that places would not match the original text.
    return lower.length === piece.length
      ? toHit(shown, shown.text, start + place, pattern)
      : toHit(shown, lower, place, pattern)
  }
  return undefined
}

function toHit({ line, role, at, tool }: TranscriptLine, text: string, place: number, pattern: string): Hit {
  const end = place + pattern.length
  return {
    line,
    role,
    at,
    ...(tool !== undefined && { tool }),
    before: text.slice(Math.max(0, place - CONTEXT_CHARACTERS), place).toWellFormed(),
    match: text.slice(place, end).toWellFormed(),
    after: text.slice(end, end + CONTEXT_CHARACTERS).toWellFormed(),
  }
}
