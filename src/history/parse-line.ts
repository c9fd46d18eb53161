import type { TranscriptLine } from '../transcripts/format.ts'

/** A thousand consecutive opening brackets: parsing such deep nesting takes long, and no assistant writes it. */
const DEEP = /(?:[[{]\s{0,9}){1000}/

/** A line parsed as an object; undefined for anything else. */
export function parseLine(line: string): TranscriptLine | undefined {
  if (DEEP.test(line)) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as TranscriptLine) : undefined
  } catch {
    return undefined
  }
}
