import { tryParseJson } from '../../jsonrpc.ts'

/**
 * Finds values in JSON without parsing it, so that everything else is forwarded byte for byte: `JSON.parse` and
 * `JSON.stringify` would change large integers, the order and repetition of members, and escapes. All delimiters of
 * JSON are ASCII, and never occur within a multi-byte UTF-8 sequence.
 */

/** A value in a text: the offset of its first byte, and the offset after its last. */
export type Span = { start: number; end: number }

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const BRACE = 0x7b

const decoder = new TextDecoder()

/** The text of a span. */
export function textOf(bytes: Uint8Array, { start, end }: Span): string {
  return decoder.decode(bytes.subarray(start, end))
}

/**
 * The object that makes up the whole text, except white space around it; undefined if the text is truncated or
 * something else.
 */
export function findWholeObject(bytes: Uint8Array): Span | undefined {
  const start = skipSpace(bytes, 0)
  if (bytes[start] !== BRACE) return undefined
  const end = findValueEnd(bytes, start)
  return end !== undefined && skipSpace(bytes, end) === bytes.length ? { start, end } : undefined
}

/** The value of a member, as found by `findMembers`. */
export function findMember(bytes: Uint8Array, object: Span | undefined, name: string): Span | undefined {
  return findMembers(bytes, object, [name])[0]
}

/**
 * The values of members of an object, in the order of `names`, which are ASCII. For a repeated name it is the last,
 * like `JSON.parse`. Undefined for a missing member, or if the object is malformed before it. Takes time linear in the
 * size of the object, independent of the number of names.
 */
export function findMembers(bytes: Uint8Array, object: Span | undefined, names: string[]): (Span | undefined)[] {
  const found: (Span | undefined)[] = names.map(() => undefined)
  if (object === undefined || bytes[object.start] !== BRACE) return found
  let at = skipSpace(bytes, object.start + 1)
  while (bytes[at] === QUOTE) {
    const nameEnd = findStringEnd(bytes, at)
    const colon = nameEnd === undefined ? undefined : skipSpace(bytes, nameEnd)
    if (nameEnd === undefined || colon === undefined || bytes[colon] !== COLON) return found
    const start = skipSpace(bytes, colon + 1)
    const end = findValueEnd(bytes, start)
    if (end === undefined) return found
    const which = findName(bytes, { start: at, end: nameEnd }, names)
    if (which >= 0) found[which] = { start, end }
    const next = skipSpace(bytes, end)
    at = bytes[next] === COMMA ? skipSpace(bytes, next + 1) : bytes.length
  }
  return found
}

/** The string in a span; undefined if it is another value. */
export function findString(bytes: Uint8Array, span: Span | undefined): string | undefined {
  if (span === undefined || bytes[span.start] !== QUOTE) return undefined
  return readString(bytes, span)
}

/** Parses a JSON string; undefined if it is malformed. */
const readString = (bytes: Uint8Array, span: Span) => tryParseJson(textOf(bytes, span)) as string | undefined

/** The index of the name that a string equals; -1 for none. Without escapes, its length in bytes must match. */
function findName(bytes: Uint8Array, span: Span, names: string[]): number {
  const length = span.end - span.start - 2
  const isEscaped = bytes.subarray(span.start, span.end).includes(BACKSLASH)
  if (!isEscaped && !names.some((name) => name.length === length)) return -1
  const name = readString(bytes, span)
  return name === undefined ? -1 : names.indexOf(name)
}

/** The offset after a value; undefined if the text is truncated. Brackets are counted, not matched by kind. */
function findValueEnd(bytes: Uint8Array, start: number): number | undefined {
  const first = bytes[start]
  if (first === undefined) return undefined
  if (first === QUOTE) return findStringEnd(bytes, start)
  return OPENING.has(first) ? findClosing(bytes, start) : findScalarEnd(bytes, start)
}

function findClosing(bytes: Uint8Array, start: number): number | undefined {
  let depth = 0
  for (let at: number | undefined = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      const end = findStringEnd(bytes, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function findScalarEnd(bytes: Uint8Array, start: number): number | undefined {
  let at = start
  while (at < bytes.length && !isEndOfScalar(bytes[at] ?? 0)) at += 1
  return at > start ? at : undefined
}

function isEndOfScalar(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === QUOTE || byte <= 0x20 || OPENING.has(byte) || CLOSING.has(byte)
}

/** The offset after a string. A quote after an odd number of backslashes is part of the string. */
function findStringEnd(bytes: Uint8Array, start: number): number | undefined {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1
    while (bytes[before] === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
  return undefined
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
