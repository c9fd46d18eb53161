import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { HistorySource } from '../../store/history.ts'
import type { Assistant } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLine } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { requireOwnSession } from './own-session.ts'
import { readLines, type StoredLine } from './read-lines.ts'
import { type Session, toSession } from './session.ts'

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
 * A readable page of a session of the actor: what people and the assistant said, and what tools did. With `all`, also lines that are not part of the
 * conversation. A message that the assistant rewrote within 200 lines appears once: its last version, at its first position.
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
  const page = createPage(limit)
  let next: number | undefined
  for await (const stored of readLines(histories.store, source, Math.max(1, from - NEAR_LINES))) {
    const entry = toEntry(source, stored, { all, most: MAX_LINE_CHARACTERS })
    if (stored.line < from) page.passOver(entry)
    else if (next === undefined && !page.isFull()) page.add(entry, stored.text.length)
    else {
      next ??= stored.line
      if (stored.line >= next + NEAR_LINES) break
      page.replace(entry)
    }
  }
  return { session: toSession(source), lines: page.lines, next }
}

/** Lines before and after a page that are examined for rewritten messages of the page. */
const NEAR_LINES = 200

/** Collects entries; one with a known id replaces the earlier one in its place. */
function createPage(limit: number) {
  const lines: TranscriptLine[] = []
  const places = new Map<string, number>()
  const passed = new Set<string>()
  let [examined, length, characters] = [0, 0, 0]

  function replace({ line, id }: Entry): boolean {
    const place = id === undefined ? undefined : places.get(id)
    if (place === undefined) return false
    if (line !== undefined) lines[place] = line
    return true
  }

  return {
    lines,
    isFull: () =>
      lines.length >= limit || characters >= MAX_PAGE_CHARACTERS || examined >= MAX_EXAMINED_LINES || length >= MAX_EXAMINED_LENGTH,
    passOver: ({ id }: Entry) => void (id !== undefined && passed.add(id)),
    replace,
    add: (entry: Entry, rawLength: number) => {
      examined += 1
      length += rawLength
      if (entry.line === undefined || (entry.id !== undefined && passed.has(entry.id)) || replace(entry)) return
      if (entry.id !== undefined) places.set(entry.id, lines.length)
      characters += entry.line.text.length
      lines.push(entry.line)
    },
  }
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
    const shown = stored?.line === number ? toTranscriptLine(source, stored, { all: true, most: MAX_ALONE_CHARACTERS }) : undefined
    if (shown === undefined) throw new Refusal('there is no such line')
    lines.push(shown)
  }
  return { session: toSession(source), lines }
}

const MAX_CHOSEN = 50

/** What a line says, and the id of its message if the assistant rewrites messages. */
type Entry = { line: TranscriptLine | undefined; id: string | undefined }

/** `line` is undefined for a line that is not part of the conversation, unless `all` are wanted. */
function toEntry({ assistant }: HistorySource, { line, text }: StoredLine, { all, most }: { all: boolean; most: number }): Entry {
  const parsed = parseLine(text)
  const entry = parsed && FORMATS.get(assistant as Assistant)?.toEntry(parsed)
  if (entry == null) return { line: all ? { line, role: 'raw', at: null, ...cutText(text, most) } : undefined, id: undefined }
  const { role, tool, at, id } = entry
  return { line: { line, role, ...(tool !== undefined && { tool }), at, ...cutText(entry.text, most) }, id }
}

/** Undefined for a line that is not part of the conversation, unless `all` are wanted. At most `most` characters of its text. */
export function toTranscriptLine(
  source: HistorySource,
  stored: StoredLine,
  wish: { all: boolean; most: number },
): TranscriptLine | undefined {
  return toEntry(source, stored, wish).line
}

function cutText(text: string, most: number): Pick<TranscriptLine, 'text' | 'cut'> {
  return text.length <= most ? { text } : { text: text.slice(0, most).toWellFormed(), cut: true }
}
