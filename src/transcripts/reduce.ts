import { isObject, tryParseJson } from '../jsonrpc.ts'
import { type Assistant, type Format, MAX_DEPTH, type TranscriptLine, toJson, toObject } from './format.ts'
import { FORMATS } from './formats.ts'
import { createStringFilter, type StringFilter } from './large-strings.ts'
import { findFileReason, toOmitted } from './omitted.ts'

/** Maximum length of a line that is sent, in bytes. */
export const MAX_LINE_BYTES = 2 ** 20

/** Maximum length of a text that is parsed as a whole, which takes about 10 ms. */
export const MAX_PARSED_BYTES = 2 * MAX_LINE_BYTES

/** A longer line should be passed to `createLongLine` as it arrives, so that large parts are never held. */
export const LONG_LINE_BYTES = 256 * 1_024

/** How much of the beginning of a long line is kept for its first members. */
const HEAD_BYTES = 16 * 1_024

/** Maximum lengths of strings in a line that is still too long; the first that makes it short enough is used. */
const SHORTER_STRING_BYTES = [64 * 1_024, 16 * 1_024, 2 * 1_024]

/**
 * A line of at most `MAX_PARSED_BYTES` without what is useless to a reader: images and other base64 files, encrypted
 * reasoning, repeated histories, copies of files. Omitted parts become `{"$omitted":{"bytes","reason"}}`; if there are
 * none, the text is unchanged. The result has at most `MAX_LINE_BYTES`: first large strings are omitted, then
 * everything. Text that is not a JSON object stays unchanged, up to that length.
 */
export function reduceLine(assistant: Assistant, line: string): string {
  const reduced = reduceObject(FORMATS.get(assistant), line)
  if (Buffer.byteLength(reduced) <= MAX_LINE_BYTES) return reduced
  for (const maxStringBytes of SHORTER_STRING_BYTES) {
    const filter = createStringFilter({ maxStringBytes, maxBytes: MAX_LINE_BYTES })
    filter.push(Buffer.from(reduced))
    const shorter = filter.finish()
    if (shorter !== undefined && findObject(shorter) !== undefined) return shorter
  }
  return toStub(reduced, Buffer.byteLength(line))
}

/**
 * Takes a line of any length in pieces; `finish` returns what `reduceLine` would. Holds at most `MAX_PARSED_BYTES` and
 * one string.
 */
export function createLongLine(assistant: Assistant): { push: StringFilter['push']; finish: () => string } {
  const filter = createStringFilter({ maxStringBytes: MAX_LINE_BYTES, maxBytes: MAX_PARSED_BYTES })
  let head = ''
  return {
    push: (bytes) => {
      if (head.length < HEAD_BYTES) head += Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString()
      filter.push(bytes)
    },
    finish: () => {
      const text = filter.finish()?.trim()
      return text === undefined ? toStub(head, filter.bytes()) : reduceLine(assistant, text)
    },
  }
}

function reduceObject(format: Format | undefined, line: string): string {
  const parsed = findObject(line)
  if (parsed === undefined) return line
  const reduced = reduceValue(parsed, format, 0)
  return reduced === parsed ? line : (toJson(reduced) ?? toStub(line, Buffer.byteLength(line)))
}

/** The line as a JSON object; undefined if it is anything else. */
export function findObject(line: string): TranscriptLine | undefined {
  const value = tryParseJson(line)
  return isObject(value) ? value : undefined
}

/** The same value if nothing in it is omitted. */
function reduceValue(value: unknown, format: Format | undefined, depth: number): unknown {
  if (typeof value === 'string') return reduceText(value)
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => reduceValue(item, format, depth + 1))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  return reduceMembers(toObject(value), format, depth)
}

function reduceMembers(object: TranscriptLine, format: Format | undefined, depth: number): TranscriptLine {
  const members = Object.entries(object)
  const reduced = members.map(([name, value]): [string, unknown] => {
    const reason = format?.omissionOf(name, object)
    if (reason === undefined || isEmpty(value)) return [name, reduceValue(value, format, depth + 1)]
    return [name, toOmitted(Buffer.byteLength(toJson(value) ?? ''), reason)]
  })
  return reduced.every(([, value], at) => value === members[at]?.[1]) ? object : Object.fromEntries(reduced)
}

/** Whether a value is empty, or was omitted before. */
function isEmpty(value: unknown): boolean {
  return !value || '$omitted' in toObject(value) || (typeof value === 'object' && Object.keys(value).length === 0)
}

function reduceText(text: string): unknown {
  const reason = findFileReason(text)
  return reason === undefined ? text : toOmitted(Buffer.byteLength(JSON.stringify(text)), reason)
}

/** The first members of an object, as far as they are short and neither objects nor lists. */
const LEADING_MEMBERS =
  /^\s*\{((?:\s*"\w{1,64}"\s*:\s*(?:"(?:[^"\\\n]|\\.){0,256}"|-?\d{1,20}|true|false|null)\s*,){0,40})/

/** The rest of a line that cannot be made short enough: its first members, such as type and time, and its length. */
function toStub(head: string, bytes: number): string {
  const members = LEADING_MEMBERS.exec(head.slice(0, HEAD_BYTES))?.[1] ?? ''
  const stub = `{${members}${JSON.stringify(toOmitted(bytes, 'too_large')).slice(1)}`
  return findObject(stub) === undefined ? JSON.stringify(toOmitted(bytes, 'too_large')) : stub
}
