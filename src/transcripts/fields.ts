/** Reads values of which nothing is certain. */

import type { SessionFacts, TranscriptEntry, TranscriptLine } from './format.ts'

/** The value if it is a string that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is an object and no list, else an empty one. */
export function toObject(value: unknown): TranscriptLine {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TranscriptLine) : {}
}

/** The objects of a list; none of anything else. */
export function toObjects(value: unknown): TranscriptLine[] {
  return Array.isArray(value) ? value.map(toObject) : []
}

/** What stands in a text for a picture. */
export const IMAGE = '[image]'

/** Objects and lists within each other further than this are not written. */
export const MAX_DEPTH = 200

/** JSON of a value that was parsed; undefined if it is nested deeper than `MAX_DEPTH`: writing that takes seconds, or fails. */
export function toJson(value: unknown): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? undefined : JSON.stringify(value)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}

/** Text as a person reads it: a string as it is, another value as JSON; nothing, and what is nested too deeply, as an empty text. */
export function toReadable(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (toJson(value) ?? '')
}

/** Facts without the members that are unknown. */
export function toFacts(facts: { [Name in Exclude<keyof SessionFacts, 'isSubagent'>]?: unknown }): SessionFacts {
  const known = Object.entries(facts).filter(([, value]) => toText(value) !== undefined)
  return Object.fromEntries(known) as SessionFacts
}

/** The texts, one below the other, without those that are empty. */
export function joinTexts(texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}

/** What is shown of a line, before its time is known. */
export type Shown = Omit<TranscriptEntry, 'at' | 'id'>

/** The entry of a line with its time and, where the format has one, the id of its message; null if there is no text to show. */
export function toTimedEntry(shown: Shown | undefined, at: unknown, id?: unknown): TranscriptEntry | null {
  if (shown === undefined || shown.text === '') return null
  const message = toText(id)
  return { ...shown, at: toText(at) ?? null, ...(message !== undefined && { id: message }) }
}

/** A call of a tool, or what it gave, with the name of the tool where that is known. */
export function toToolEntry(role: Shown['role'], name: unknown, text: string): Shown {
  const tool = toText(name)
  return { role, text, ...(tool !== undefined && { tool }) }
}
