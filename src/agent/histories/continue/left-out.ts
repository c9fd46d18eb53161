import type { TranscriptLine } from '../../../transcripts/format.ts'
import { omissionOf } from '../../../transcripts/omitted.ts'

/** Whether anything within a value is missing, for one of these reasons if there are any. */
export function hasOmission(value: unknown, reasons?: string[]): boolean {
  const omission = omissionOf(value)
  if (omission !== undefined) return reasons === undefined || reasons.includes(String(omission.reason))
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => hasOmission(member, reasons))
}

/** A text for the model and the person in the place of what is missing. */
export const toNote = (value: unknown) => {
  const { bytes, reason } = omissionOf(value) ?? {}
  const what = reason === 'image' ? 'an image' : reason === 'binary' ? 'a file' : 'a text'
  return `[${what}${typeof bytes === 'number' ? ` of ${bytes} bytes` : ''} was left out when this session was uploaded]`
}

/**
 * The value with a note in the place of each missing text. `replace` returns what takes the place of an object that has
 * something missing and would not be valid with a note; undefined for all others.
 */
export function withNotes(value: unknown, replace: (object: TranscriptLine) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !hasOmission(value)) return value
  if (Array.isArray(value)) return value.map((one) => withNotes(one, replace))
  if (omissionOf(value) !== undefined) return toNote(value)
  const replaced = replace(value as TranscriptLine)
  if (replaced !== undefined) return replaced
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNotes(one, replace)]))
}
