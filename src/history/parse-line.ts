import type { TranscriptLine } from '../transcripts/format.ts'

/** A line as the object that it is; undefined for anything else. */
export function parseLine(line: string): TranscriptLine | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as TranscriptLine) : undefined
  } catch {
    return undefined
  }
}
