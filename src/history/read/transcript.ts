import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { HistorySource } from '../../store/history.ts'
import type { Assistant } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { parseLine } from '../parse-line.ts'
import { requireOwnSession } from './own-session.ts'
import { readLines, type StoredLine } from './read-lines.ts'
import { type Session, toSession } from './session.ts'

/** A line of a transcript. `raw` is a line that is no part of the conversation, as it is. */
export type TranscriptLine = {
  line: number
  role: 'user' | 'assistant' | 'tool' | 'system' | 'raw'
  tool?: string
  at: string | null
  text: string
  /** The text goes on; a page of the line alone has more. */
  cut?: true
}

/** `next` is the line to go on from; undefined at the end. */
export type Transcript = { session: Session; lines: TranscriptLine[]; next: number | undefined }

/** Characters of one line in a page of several, and in all of a page. */
const MAX_LINE_CHARACTERS = 8_000
const MAX_PAGE_CHARACTERS = 200_000
/** Of a line that is asked for alone. */
const MAX_ALONE_CHARACTERS = 1_000_000
/** What is looked at for one page: lines, and their text in UTF-16 units. */
const MAX_EXAMINED_LINES = 2_000
const MAX_EXAMINED_LENGTH = 16 * 2 ** 20

type Asked = { projectId: string; id: string; from?: number | undefined; limit: number; all?: boolean | undefined }

/**
 * A page of a session of the actor, readable: what people and the assistant said, and what tools did. With `all`, lines that are no part of the conversation too.
 *
 * @throws Refusal where there is no such session, Notice where the subscription forbids it.
 */
export async function readTranscript(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, from = 1, limit, all = false }: Asked,
): Promise<Transcript> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const lines: TranscriptLine[] = []
  const examined = { lines: 0, length: 0, shown: 0 }
  let next: number | undefined
  for await (const stored of readLines(histories.store, source, from)) {
    if (isFull(examined, lines.length, limit)) {
      next = stored.line
      break
    }
    examined.lines += 1
    examined.length += stored.text.length
    const shown = toTranscriptLine(source, stored, { all, most: MAX_LINE_CHARACTERS })
    if (shown === undefined) continue
    examined.shown += shown.text.length
    lines.push(shown)
  }
  return { session: toSession(source), lines, next }
}

function isFull(examined: { lines: number; length: number; shown: number }, found: number, limit: number): boolean {
  return (
    found >= limit ||
    examined.shown >= MAX_PAGE_CHARACTERS ||
    examined.lines >= MAX_EXAMINED_LINES ||
    examined.length >= MAX_EXAMINED_LENGTH
  )
}

/**
 * Some lines of a session of the actor by their numbers, each with up to a million characters; numbers without a line are left out.
 *
 * @throws as `readTranscript`.
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
    for await (const stored of readLines(histories.store, source, number)) {
      const shown = stored.line === number ? toTranscriptLine(source, stored, { all: true, most: MAX_ALONE_CHARACTERS }) : undefined
      if (shown !== undefined) lines.push(shown)
      break
    }
  }
  return { session: toSession(source), lines }
}

const MAX_CHOSEN = 50

/** Undefined for a line that is no part of the conversation, unless `all` are wanted. */
export function toTranscriptLine(
  { assistant }: HistorySource,
  { line, text }: StoredLine,
  { all, most }: { all: boolean; most: number },
): TranscriptLine | undefined {
  const parsed = parseLine(text)
  const entry = parsed && FORMATS.get(assistant as Assistant)?.toEntry(parsed)
  if (entry == null) return all ? { line, role: 'raw', at: null, ...cutText(text, most) } : undefined
  return { line, role: entry.role, ...(entry.tool !== undefined && { tool: entry.tool }), at: entry.at, ...cutText(entry.text, most) }
}

function cutText(text: string, most: number): Pick<TranscriptLine, 'text' | 'cut'> {
  return text.length <= most ? { text } : { text: text.slice(0, most).toWellFormed(), cut: true }
}
