import { ProtocolError } from './errors.ts'

/** What ties an answer to its request. Echoed exactly, so integers beyond 2^53 - 1 are refused. */
export type Id = string | number

/** The named values of a message, as they came. */
export type Params = Record<string, unknown>

/** One message of a peer. Notifications and responses ask for no answer. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: Params }
  | { kind: 'notification'; method: string }
  | { kind: 'response' }

/** Error codes of JSON-RPC 2.0, and the two that MCP 2026-07-28 adds for requests of the stateless era. */
export const Code = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** The deepest nesting a message may have; everything behind `readJson` may recurse. */
export const MAX_DEPTH = 64

/**
 * Most values in one message, nested ones included. A body of the largest size can hold half a million, which take the parser some
 * 60 ms; so many take it 10 ms at worst, whatever their shape.
 */
export const MAX_VALUES = 10_000

/** The value a body holds. Throws ProtocolError when it is not JSON, nested deeper than MAX_DEPTH, or of more values than MAX_VALUES. */
export function readJson(text: string): unknown {
  // A level takes two characters at least, and so does a value, so most messages are too short to be looked through.
  if (text.length > 2 * MAX_DEPTH) checkShape(text)
  return parse(text)
}

/**
 * Holds a text to MAX_DEPTH and MAX_VALUES before it is parsed, in one pass. Exact for JSON: a value stands behind a bracket or a comma.
 * Throws ProtocolError.
 */
function checkShape(text: string): void {
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
        if (depth > MAX_DEPTH) throw invalid(`the message is nested deeper than ${MAX_DEPTH} levels`)
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
        values += 1
        if (values > MAX_VALUES) throw invalid(`the message holds more than ${MAX_VALUES} values`)
    }
  }
}

/** Where the quote stands that ends a string; the text's length when it is not ended. */
function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) return at
    if (character === 0x5c) at += 1
  }
  return text.length
}

/** The longest id that is echoed, in UTF-16 code units: it is a part of every answer, whose size is bounded. */
const MAX_ID_CHARACTERS = 1_024

/** The usable id of a message that may be broken elsewhere. */
export function findId(value: unknown): Id | undefined {
  if (!isObject(value)) return undefined
  const id = value.id
  const isText = typeof id === 'string' && id.length <= MAX_ID_CHARACTERS
  return isText || Number.isSafeInteger(id) ? (id as Id) : undefined
}

/** The one message a value is. Throws ProtocolError for a batch, and for what is no JSON-RPC 2.0 message. */
export function readMessage(value: unknown): Message {
  if (Array.isArray(value)) throw invalid('batches are not supported; send one message a request')
  if (!isObject(value) || value.jsonrpc !== '2.0') throw invalid('the message must be an object with "jsonrpc": "2.0"')
  if (value.method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof value.method !== 'string') throw invalid('method must be a string')
  if (value.params !== undefined && !isObject(value.params)) throw invalid('params must be an object')
  if (!('id' in value)) return { kind: 'notification', method: value.method }
  const id = findId(value)
  if (id === undefined)
    throw invalid(`id must be a string of at most ${MAX_ID_CHARACTERS} characters or an integer between -(2^53 - 1) and 2^53 - 1`)
  return { kind: 'request', id, method: value.method, params: value.params ?? {} }
}

/** JSON that is too large to be in memory as a whole: what stands before it and after it, and the pieces between. */
export type LargeText = {
  before: string
  after: string
  /** The next piece in UTF-8; undefined after the last. */
  read: () => Promise<Uint8Array | undefined>
}

/** The text of an object. Members can be added at its end. */
export type ObjectText = string | LargeText

/** A response whose result is JSON already. */
export function toResultText(id: Id, result: ObjectText): ObjectText {
  const before = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  return typeof result === 'string' ? `${before}${result}}` : { ...result, before: before + result.before, after: `${result.after}}` }
}

/** The text of an object with the members of another one, both of which have some. */
export function withMembers(text: ObjectText, members: object): ObjectText {
  const more = `,${JSON.stringify(members).slice(1)}`
  return typeof text === 'string' ? text.slice(0, -1) + more : { ...text, after: text.after.slice(0, -1) + more }
}

/** A response that says why there is no result; `id` is null when the request's could not be read. */
export function toErrorText(id: Id | null, error: ProtocolError): string {
  const { code, message, data } = error
  return JSON.stringify({ jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } })
}

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is nested deeper than that many levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true
  return false
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolError(Code.parseError, 'Parse error: the body is not JSON', 400)
  }
}

function invalid(reason: string): ProtocolError {
  return new ProtocolError(Code.invalidRequest, `Invalid Request: ${reason}`, 400)
}
