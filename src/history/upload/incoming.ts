import { redactLines } from '../../secrets/redact.ts'
import type { Assistant, TranscriptEntry, TranscriptLine } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { MAX_SEGMENT_LINES } from './bounds.ts'
import { UploadRefusal } from './upload-refusal.ts'

/** A line to be stored. `id` is what its assistant calls it, if it does. */
export type IncomingLine = { text: Uint8Array; id: string | undefined; at: number | null; prompt: string | undefined }

/** The lines of a segment, without blank ones, and how many credentials were masked in them. */
export type Incoming = { lines: IncomingLine[]; redacted: number }

/** Length of a line in UTF-16 units: agents send at most 1 MiB, and redaction may add to it. */
const MAX_LINE_LENGTH = 1.25 * 2 ** 20

const LINE_FEED = 10
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The lines of a segment, with remaining credentials masked.
 *
 * @throws UploadRefusal for what is not UTF-8, for a line that is too long, and for too many lines.
 */
export async function toIncoming(assistant: string, body: Uint8Array): Promise<Incoming> {
  const texts = toLines(body)
  const incoming: Incoming = { lines: [], redacted: 0 }
  for (const { line, counts } of await redactLines(texts)) {
    incoming.lines.push(await toIncomingLine(assistant, line))
    for (const count of Object.values(counts)) incoming.redacted += count
  }
  return incoming
}

/** The lines of a body that are not blank. */
function toLines(body: Uint8Array): string[] {
  const lines: string[] = []
  for (let start = 0, end = 0; end < body.length; start = end + 1) {
    const found = body.indexOf(LINE_FEED, start)
    end = found < 0 ? body.length : found
    if (end === start) continue
    const line = decode(body.subarray(start, end))
    if (line.length > MAX_LINE_LENGTH)
      throw new UploadRefusal('too_large', `a line has at most ${MAX_LINE_LENGTH} characters`)
    if (line.trim() !== '') lines.push(line)
    if (lines.length > MAX_SEGMENT_LINES)
      throw new UploadRefusal('too_large', `a segment has at most ${MAX_SEGMENT_LINES} lines; send fewer`)
  }
  return lines
}

function decode(line: Uint8Array): string {
  try {
    return utf8.decode(line)
  } catch {
    throw new UploadRefusal('invalid', 'the lines are not UTF-8')
  }
}

async function toIncomingLine(assistant: string, line: string): Promise<IncomingLine> {
  const parsed = await parseLineInTurn(line)
  const format = FORMATS.get(assistant as Assistant)
  const at = toTime(parsed && format?.sessionOf(parsed).timestamp)
  return {
    text: Buffer.from(line),
    id: parsed && format?.idOf(parsed),
    at,
    prompt: parsed && toPrompt(parsed, format?.toEntry),
  }
}

/** The text of a person's prompt. Programs also write lines with the role of the user, which begin with a tag. */
function toPrompt(
  line: TranscriptLine,
  toEntry?: (line: TranscriptLine) => TranscriptEntry | null,
): string | undefined {
  const entry = toEntry?.(line)
  return entry?.role === 'user' && !/^\s*</.test(entry.text) ? entry.text : undefined
}

function toTime(timestamp: string | undefined): number | null {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? null : time
}
