import type { TranscriptLine } from '../transcripts/format.ts'

/** A thousand brackets that open one after the other: to parse what is nested so deeply takes long, and no assistant writes it. */
const DEEP = /(?:[[{]\s{0,9}){1000}/

/** A line as the object that it is; undefined for anything else. */
export function parseLine(line: string): TranscriptLine | undefined {
  if (DEEP.test(line)) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as TranscriptLine) : undefined
  } catch {
    return undefined
  }
}
