import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { HistorySource } from '../../store/history.ts'
import type { Assistant } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLine } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { readLines, type StoredLine } from './lines.ts'
import { requireOwnSession, type Session, toSession } from './session.ts'

/** A line of a transcript. `raw` is a line that is not part of the conversation, unchanged. */
export type TranscriptLine = {
  line: number
  role: 'user' | 'assistant' | 'tool' | 'system' | 'raw'
  tool?: string
  at: string | null
  text: string
  /** The text is cut; requesting this line alone returns more. */
  cut?: true
}

/** `next` is the line to continue from; undefined at the end. */
export type Transcript = { session: Session; lines: TranscriptLine[]; next: number | undefined }

/** Maximum characters of a line in a page of several, and of the whole page. */
const MAX_LINE_CHARACTERS = 8_000
const MAX_PAGE_CHARACTERS = 200_000
/** Maximum characters of a line requested alone. */
const MAX_ALONE_CHARACTERS = 1_000_000
/** Maximum lines, and UTF-16 units of text, examined for one page. */
const MAX_EXAMINED_LINES = 2_000
const MAX_EXAMINED_LENGTH = 16 * 2 ** 20

type Asked = { projectId: string; id: string; from?: number | undefined; limit: number; all?: boolean | undefined }

/**
 * A readable page of a session of the actor: what people and the assistant said, and what tools did. With `all`, also
 * lines that are not part of the conversation.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function readTranscript(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, from = 1, limit, all = false }: Asked,
): Promise<Transcript> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const lines: TranscriptLine[] = []
  let [examined, length, characters] = [0, 0, 0]
  for await (const stored of readLines(histories.store, source, from)) {
    const isFull = lines.length >= limit || characters >= MAX_PAGE_CHARACTERS
    if (isFull || examined >= MAX_EXAMINED_LINES || length >= MAX_EXAMINED_LENGTH)
      return { session: toSession(source), lines, next: stored.line }
    examined += 1
    length += stored.text.length
    const line = toTranscriptLine(source, stored, { all, most: MAX_LINE_CHARACTERS })
    if (line === undefined) continue
    characters += line.text.length
    lines.push(line)
  }
  return { session: toSession(source), lines, next: undefined }
}

/**
 * Lines of a session of the actor by their numbers, each with up to a million characters.
 *
 * @throws Refusal if there is no such session or line, or for more than 50; Notice where the subscription forbids it.
 */
export async function readTranscriptLines(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, numbers }: { projectId: string; id: string; numbers: number[] },
): Promise<Omit<Transcript, 'next'>> {
  if (numbers.length > MAX_CHOSEN) throw new Refusal(`choose at most ${MAX_CHOSEN} lines`)
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const lines: TranscriptLine[] = []
  for (const number of numbers) {
    const { value: stored } = await readLines(histories.store, source, number).next()
    const shown =
      stored?.line === number ? toTranscriptLine(source, stored, { all: true, most: MAX_ALONE_CHARACTERS }) : undefined
    if (shown === undefined) throw new Refusal('there is no such line')
    lines.push(shown)
  }
  return { session: toSession(source), lines }
}

const MAX_CHOSEN = 50

/**
 * Undefined for a line that is not part of the conversation, unless `all` are wanted. At most `most` characters of its
 * text.
 */
export function toTranscriptLine(
  { assistant }: HistorySource,
  { line, text }: StoredLine,
  { all, most }: { all: boolean; most: number },
): TranscriptLine | undefined {
  const parsed = parseLine(text)
  const entry = parsed && FORMATS.get(assistant as Assistant)?.toEntry(parsed)
  if (entry == null) return all ? { line, role: 'raw', at: null, ...cutText(text, most) } : undefined
  const { role, tool, at } = entry
  return { line, role, ...(tool !== undefined && { tool }), at, ...cutText(entry.text, most) }
}

function cutText(text: string, most: number): Pick<TranscriptLine, 'text' | 'cut'> {
  return text.length <= most ? { text } : { text: text.slice(0, most).toWellFormed(), cut: true }
}
