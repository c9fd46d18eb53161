import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { findExcess } from '../../jsonrpc.ts'
import type { HistorySource } from '../../store/history.ts'
import {
  type Assistant,
  type AssistantTurn,
  joinTexts,
  type TranscriptLine as ParsedLine,
  type ToolCall,
  type TranscriptEntry,
  toReadable,
} from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { listOmissions, type Omission } from '../../transcripts/omitted.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import {
  MAX_LENGTH_AMONG_OTHERS,
  readLines,
  requireOwnSession,
  type Session,
  type StoredLine,
  toSession,
} from './session.ts'

/** A line of a transcript. `raw` is a line that is not part of the conversation, unchanged. */
export type TranscriptLine = {
  line: number
  role: 'user' | 'assistant' | 'tool' | 'system' | 'raw'
  tool?: string
  at: string | null
  text: string
  /** The text replaces, for the model, what came before. */
  summary?: true
  /** On demand: the parts of the text. */
  parts?: LineParts
  /** The text is cut, or of a very long line only says how long it is; requesting this line alone returns more. */
  cut?: true
}

/** The parts of a line's text, and what was left out of the line at the upload. The arguments of calls are not cut. */
export type LineParts = {
  reasoning: string
  said: string
  calls: ToolCall[]
  /** What tools returned, and whatever is not recognized, so that nothing is lost. */
  result: string
  omissions: Omission[]
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

type Asked = {
  projectId: string
  id: string
  from?: number | undefined
  limit: number
  all?: boolean | undefined
  hasParts?: boolean
}

/**
 * A readable page of a session of the actor: what people and the assistant said, and what tools did. With `all`, also
 * lines that are not part of the conversation.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function readTranscript(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, from = 1, limit, all = false, hasParts = false }: Asked,
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
    const line =
      stored.text.length > MAX_LENGTH_AMONG_OTHERS
        ? toLength(stored)
        : await toTranscriptLine(source, stored, { all, most: MAX_LINE_CHARACTERS, hasParts })
    if (line === undefined) continue
    characters += line.text.length
    lines.push(line)
  }
  return { session: toSession(source), lines, next: undefined }
}

/** What a page of several lines has of one that is too long for it. */
function toLength({ line, text }: StoredLine): TranscriptLine {
  return { line, role: 'raw', at: null, text: `A line of ${Math.round(text.length / 1_024)} KiB.`, cut: true }
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
    const wish = { all: true, most: MAX_ALONE_CHARACTERS }
    const shown = stored?.line === number ? await toTranscriptLine(source, stored, wish) : undefined
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
export async function toTranscriptLine(
  { assistant }: HistorySource,
  { line, text }: StoredLine,
  { all, most, hasParts = false }: { all: boolean; most: number; hasParts?: boolean | undefined },
): Promise<TranscriptLine | undefined> {
  const parsed = await parseLineInTurn(text)
  const format = FORMATS.get(assistant as Assistant)
  const entry = parsed && format?.toEntry(parsed)
  if (parsed === undefined || entry == null)
    return all ? { line, role: 'raw', at: null, ...cutText(text, most) } : undefined
  const { role, tool, at, isSummary } = entry
  const known = { ...(tool !== undefined && { tool }), ...(isSummary && { summary: isSummary }) }
  const shown: TranscriptLine = { line, role, ...known, at, ...cutText(entry.text, most) }
  if (!hasParts) return shown
  const isSimple = findExcess(text, MAX_PARTS_DEPTH, MAX_PARTS_VALUES) === undefined
  return isSimple ? { ...shown, parts: cutParts(toParts(entry, format?.turnOf(parsed)), parsed, most) } : shown
}

/** A line that is nested deeper or has more JSON values is shown as a text, since its parts take too long to be found. */
const MAX_PARTS_DEPTH = 100
const MAX_PARTS_VALUES = 5_000

type Parts = Omit<LineParts, 'omissions'>

/** The text of an assistant's line has its reasoning, what it said, the arguments of its calls, then their results. */
function toParts({ role, text }: TranscriptEntry, turn: AssistantTurn | undefined): Parts {
  const none: Parts = { reasoning: '', said: '', calls: [], result: '' }
  const known = turn && joinTexts([turn.text, ...turn.calls.map(({ input }) => toReadable(input))])
  if (turn === undefined || known === undefined || (known === '' && turn.calls.length === 0))
    return { ...none, [role === 'assistant' ? 'reasoning' : role === 'tool' ? 'result' : 'said']: text }
  const at = text.indexOf(known)
  if (at < 0) return { ...none, result: text }
  const [before, after] = [text.slice(0, at), text.slice(at + known.length)]
  return { reasoning: before.trim(), said: turn.text, calls: turn.calls, result: after.replace(/^\n/, '') }
}

function cutParts({ reasoning, said, calls, result }: Parts, line: ParsedLine, most: number): LineParts {
  const cut = (text: string) => cutText(text, most).text
  const omissions = listOmissions(line).filter(({ reason }) => reason !== 'copy' && reason !== 'encrypted')
  return { reasoning: cut(reasoning), said: cut(said), calls, result: cut(result), omissions }
}

function cutText(text: string, most: number): Pick<TranscriptLine, 'text' | 'cut'> {
  return text.length <= most ? { text } : { text: text.slice(0, most).toWellFormed(), cut: true }
}
