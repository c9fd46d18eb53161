/** Reads members of unchecked JSON values. */

import { isDeeperThan, isObject } from '../jsonrpc.ts'
import type { SessionFacts, ToolCall, TranscriptEntry, TranscriptLine } from './format.ts'

/** The value if it is a string that is not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is an object and not a list, otherwise an empty object. */
export function toObject(value: unknown): TranscriptLine {
  return isObject(value) ? value : {}
}

/** The objects of a list; none of anything else. */
export function toObjects(value: unknown): TranscriptLine[] {
  return Array.isArray(value) ? value.map(toObject) : []
}

/** The sum of the values that are numbers from 0 on. */
export function sumOf(...values: unknown[]): number {
  return values.reduce<number>((sum, one) => (typeof one === 'number' && one >= 0 ? sum + one : sum), 0)
}

/** Replaces an image in a text. */
export const IMAGE = '[image]'

/** Maximum nesting depth of JSON that is rendered. */
export const MAX_DEPTH = 200

/**
 * The JSON of a parsed value; undefined if it is nested deeper than `MAX_DEPTH`, since rendering that takes seconds or
 * fails.
 */
export function toJson(value: unknown): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? undefined : JSON.stringify(value)
}

/**
 * A value as readable text: a string as it is, any other value as JSON; empty for nothing and for what is nested too
 * deeply.
 */
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

/** What is shown of a line, without its time. */
export type Shown = Omit<TranscriptEntry, 'at'>

/** The entry of a line with its time; null if there is no text to show. */
export function toTimedEntry(shown: Shown | undefined, at: unknown): TranscriptEntry | null {
  return shown === undefined || shown.text === '' ? null : { ...shown, at: toText(at) ?? null }
}

/** The calls of tools in a list of objects, whose members have these names. */
export function toCalls(value: unknown, name: string, input: string): ToolCall[] {
  return toObjects(value).map((call) => ({ tool: toText(call[name]), input: call[input] }))
}

/** A tool call or its result, with the name of the tool if known. */
export function toToolEntry(role: Shown['role'], name: unknown, text: string): Shown {
  const tool = toText(name)
  return { role, text, ...(tool !== undefined && { tool }) }
}
