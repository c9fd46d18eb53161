import { ProtocolError } from './errors.ts'

/** The id of a request. It must be echoed exactly, so integers beyond ±(2^53 - 1) are refused. */
export type Id = string | number

/** The params of a message, unchecked. */
export type Params = Record<string, unknown>

/** A JSON-RPC message. Only a request has an answer. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: Params }
  | { kind: 'notification'; method: string; params: Params }
  | { kind: 'response' }

/** Error codes of JSON-RPC 2.0, and the last two of MCP 2026-07-28. */
export const Code = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** The deepest nesting of a message. Code that handles what `readJson` returns may recurse. */
const MAX_DEPTH = 64

/**
 * Maximum number of values in a message, nested ones included: parsing them takes at most 10 ms, measured over shapes
 * of JSON. A body of 1 MiB could hold half a million, which take 60 ms.
 */
const MAX_VALUES = 10_000

/**
 * Parses a body. Throws ProtocolError when it is not JSON, is nested deeper than MAX_DEPTH, or has more values than
 * MAX_VALUES.
 */
export function readJson(text: string): unknown {
  // A level and a value take at least two characters each, so a short text cannot exceed a bound.
  const excess = text.length > 2 * MAX_DEPTH ? findExcess(text, MAX_DEPTH, MAX_VALUES) : undefined
  if (excess === 'depth') throw invalid(`the message is nested deeper than ${MAX_DEPTH} levels`)
  if (excess === 'values') throw invalid(`the message holds more than ${MAX_VALUES} values`)
  const value = tryParseJson(text)
  if (value === undefined) throw new ProtocolError(Code.parseError, 'Parse error: the body is not JSON', 400)
  return value
}

/**
 * Which bound a JSON text exceeds; undefined if none. Found in one pass, before the text is parsed, since parsing deep
 * nesting or many values takes long. Outside of strings each opening bracket stands for the first value inside it and
 * each comma for a further one, so that empty arrays and objects count as one.
 */
export function findExcess(text: string, maxDepth: number, maxValues: number): 'depth' | 'values' | undefined {
  let [depth, values] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = findStringEnd(text, at + 1)
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        values += 1
        if (depth > maxDepth) return 'depth'
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
        values += 1
        if (values > maxValues) return 'values'
    }
  }
  return undefined
}

/** The position of the quote that ends a string which begins at `from`; the text's length when there is none. */
export function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) return at
    if (character === 0x5c) at += 1
  }
  return text.length
}

/** The longest id, in UTF-16 code units: it is repeated in the answer, whose size is bounded. */
const MAX_ID_CHARACTERS = 1_024

/** The id of a message, which may be invalid otherwise; undefined if there is no valid one. */
export function findId(value: unknown): Id | undefined {
  if (!isObject(value)) return undefined
  const id = value.id
  const isText = typeof id === 'string' && id.length <= MAX_ID_CHARACTERS
  return isText || Number.isSafeInteger(id) ? (id as Id) : undefined
}

/**
 * The message in a parsed body. Throws ProtocolError for a batch, and for anything else that is no JSON-RPC 2.0
 * message.
 */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported; send one message a request')
  if (!isObject(value) || value.jsonrpc !== '2.0') throw invalid('the message must be an object with "jsonrpc": "2.0"')
  if (value.method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof value.method !== 'string') throw invalid('method must be a string')
  if (value.params !== undefined && !isObject(value.params)) throw invalid('params must be an object')
  const { method, params = {} } = value
  if (!('id' in value)) return { kind: 'notification', method, params }
  const id = findId(value)
  if (id === undefined)
    throw invalid(
      `id must be a string of at most ${MAX_ID_CHARACTERS} characters or an integer between -(2^53 - 1) and 2^53 - 1`,
    )
  return { kind: 'request', id, method, params }
}

/** JSON text that is too large to be held in memory, read in chunks: `before`, then the chunks, then `after`. */
export type LargeText = {
  before: string
  after: string
  /** The next chunk in UTF-8; undefined after the last. */
  read: () => Promise<Uint8Array | undefined>
}

/** The JSON text of an object. */
export type ObjectText = string | LargeText

/** A result as the JSON text of its members but `_meta`, and the members of its `_meta`. */
export type ResultText = { text: ObjectText; meta?: object | undefined }

/** The JSON text of a response with this result. */
export function toResultText(id: Id, result: ObjectText): ObjectText {
  const before = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  return typeof result === 'string'
    ? `${before}${result}}`
    : { ...result, before: before + result.before, after: `${result.after}}` }
}

/** Adds members to the end of an object's JSON text. Neither may be empty. */
export function withMembers(text: ObjectText, members: object): ObjectText {
  const added = `,${JSON.stringify(members).slice(1)}`
  return typeof text === 'string' ? text.slice(0, -1) + added : { ...text, after: text.after.slice(0, -1) + added }
}

/** The JSON text of an error response; `id` is null when the request's id could not be read. */
export function toErrorText(id: Id | null, error: ProtocolError): string {
  const { code, message, data } = error
  return JSON.stringify({ jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } })
}

/** Whether a value is a JSON object: neither an array nor null. */
export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is nested deeper than this many levels. Recurses at most that deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isDeeperThan(inner, levels - 1)) return true
  return false
}

/** Whether a value contains an integer beyond ±(2^53 - 1), which lost digits when it was parsed. Recurses to its depth. */
export const hasUnsafeInteger = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasUnsafeInteger)
    : Number.isInteger(value) && !Number.isSafeInteger(value)

/** The value of a JSON text; undefined for anything else. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function invalid(reason: string): ProtocolError {
  return new ProtocolError(Code.invalidRequest, `Invalid Request: ${reason}`, 400)
}
