import { toObject } from '../../transcripts/fields.ts'
import type { Assistant, SessionFacts } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { COMPRESSED_ENDING, openHistory } from './readers/history-file.ts'
import { readLineFile } from './readers/line-file.ts'
import type { HistorySource } from './source.ts'

/** How many bytes of the beginning of a file are searched for facts about its session. */
const HEAD_BYTES = 2 ** 20
const PIECE_BYTES = 16 * 1_024
/** How many bytes of the end are searched for a time. */
const TAIL_BYTES = 64 * 1_024

/**
 * Adds the facts found in the first lines of a file to those known already, which take precedence.
 *
 * @throws Error of the file system or of decompression if the file cannot be read.
 */
export async function readFacts(source: HistorySource): Promise<SessionFacts> {
  let facts: SessionFacts = source.cwd === null ? {} : { cwd: source.cwd }
  for await (const piece of readLineFile(source, null, PIECE_BYTES)) {
    if (piece === 'rewritten') return facts
    for (const line of piece.lines) {
      facts = { ...factsOf(source.assistant, line), ...facts }
      if (facts.cwd !== undefined && facts.timestamp !== undefined) return facts
    }
    if (piece.rawEnd > HEAD_BYTES) return facts
  }
  return facts
}

/** The time of the last line that has one; undefined if there is none near the end, or the file is compressed. */
export async function readLastTime({ assistant, file, bytes }: HistorySource): Promise<string | undefined> {
  if (file.endsWith(COMPRESSED_ENDING)) return undefined
  try {
    for (const line of (await readTail(file, bytes)).split('\n').toReversed()) {
      const { timestamp } = factsOf(assistant, line)
      if (timestamp !== undefined) return timestamp
    }
  } catch {
    // The modification time of the file is used then.
  }
  return undefined
}

async function readTail(file: string, bytes: number): Promise<string> {
  const { handle } = await openHistory(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, Math.max(0, bytes - TAIL_BYTES))
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await handle.close()
  }
}

function factsOf(assistant: Assistant, line: string): SessionFacts {
  try {
    return FORMATS.get(assistant)?.sessionOf(toObject(JSON.parse(line))) ?? {}
  } catch {
    return {}
  }
}
