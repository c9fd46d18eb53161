import { yieldIfDue } from '../../cooperative.ts'
import { UploadRefusal } from '../../errors.ts'
import { redactLines } from '../../secrets/redact.ts'
import { MAX_SEGMENT_LINES } from '../../store/history.ts'
import type { Assistant, TranscriptEntry, TranscriptLine } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLine } from '../../transcripts/parse-line.ts'

/** A line to be stored. */
export type IncomingLine = { text: Uint8Array; at: number | null; prompt: string | undefined }

/** Lines that are searched for credentials together, in total UTF-16 units and in number. */
const BATCH_LENGTH = 64 * 1024
const BATCH_LINES = 256
/** Length of a line in UTF-16 units: agents send at most 1 MiB, and redaction may add to it. */
const MAX_LINE_LENGTH = 1.25 * 2 ** 20

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The lines of a segment in batches, without blank ones, and with remaining credentials masked.
 *
 * @throws UploadRefusal for what is not UTF-8, and for too many lines.
 */
export async function* toIncoming(assistant: string, body: Uint8Array): AsyncGenerator<{ lines: IncomingLine[]; redacted: number }, void> {
  let count = 0
  for (const batch of toBatches(decode(body))) {
    count += batch.length
    if (count > MAX_SEGMENT_LINES) throw new UploadRefusal('too_large', `a segment has at most ${MAX_SEGMENT_LINES} lines; send fewer`)
    await yieldIfDue()
    const redacted = await redactLines(batch)
    const found: IncomingLine[] = []
    for (const { line } of redacted) {
      await yieldIfDue()
      found.push(toIncomingLine(assistant, line))
    }
    yield { lines: found, redacted: redacted.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0) }
  }
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new UploadRefusal('invalid', 'the lines are not UTF-8')
  }
}

/** Batches of consecutive lines. */
function* toBatches(text: string): Generator<string[], void> {
  let batch: string[] = []
  let length = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const line = text.slice(start, end)
    if (line.length > MAX_LINE_LENGTH) throw new UploadRefusal('too_large', `a line has at most ${MAX_LINE_LENGTH} characters`)
    start = end + 1
    if (line.trim() === '') continue
    batch.push(line)
    length += line.length
    if (length < BATCH_LENGTH && batch.length < BATCH_LINES) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

function toIncomingLine(assistant: string, line: string): IncomingLine {
  const parsed = parseLine(line)
  const format = FORMATS.get(assistant as Assistant)
  const at = toTime(parsed && format?.sessionOf(parsed).timestamp)
  return { text: Buffer.from(line), at, prompt: parsed && toPrompt(parsed, format?.toEntry) }
}

/** The text of a person's prompt. Programs also write lines with the role of the user, which begin with a tag. */
function toPrompt(line: TranscriptLine, toEntry?: (line: TranscriptLine) => TranscriptEntry | null): string | undefined {
  const entry = toEntry?.(line)
  return entry?.role === 'user' && !/^\s*</.test(entry.text) ? entry.text : undefined
}

function toTime(timestamp: string | undefined): number | null {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? null : time
}
