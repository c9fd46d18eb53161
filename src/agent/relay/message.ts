import { tryParseJson } from '../../jsonrpc.ts'
import { VERSION_KEY } from '../../protocol-versions.ts'
import { findMember, findMembers, findString, findWholeObject, type Span, textOf } from './json-bytes.ts'

/** Only requests and unreadable lines are answered. */
type MessageKind = 'request' | 'notification' | 'response' | 'unreadable'

/** The parts of a client's line that the relay reads. The line itself is forwarded unchanged, whatever it contains. */
export type ClientMessage = {
  bytes: Uint8Array<ArrayBuffer>
  /** Undefined for a response, and for anything that is not a message. */
  method: string | undefined
  /** The JSON text of its id, such as `7` or `"a"`; undefined if there is none that an answer could repeat. */
  id: string | undefined
  kind: MessageKind
  /** `params.name` of a tool or a prompt, or `params.uri` of a resource. */
  name: string | undefined
  /** The protocol version in `_meta`, which only requests of the stateless era have. */
  version: string | undefined
  params: Span | undefined
}

/** Reads the parts of a line, in linear time; never rejects its content. */
export function readMessage(bytes: Uint8Array<ArrayBuffer>): ClientMessage {
  const [id, params, methodSpan, result, error] = findMembers(bytes, findWholeObject(bytes), [
    'id',
    'params',
    'method',
    'result',
    'error',
  ])
  const [name, uri, meta] = findMembers(bytes, params, ['name', 'uri', '_meta'])
  const method = findString(bytes, methodSpan)
  return {
    bytes,
    method,
    id: id && toRepeatableId(textOf(bytes, id)),
    kind: toKind(method, id !== undefined, result !== undefined || error !== undefined),
    name: findString(bytes, name) ?? findString(bytes, uri),
    version: findString(bytes, findMember(bytes, meta, VERSION_KEY)),
    params,
  }
}

function toKind(method: string | undefined, hasId: boolean, hasOutcome: boolean): MessageKind {
  if (method !== undefined) return hasId ? 'request' : 'notification'
  return hasOutcome ? 'response' : 'unreadable'
}

/** The JSON text of the id in a `notifications/cancelled`. */
export function findCancelledId({ bytes, method, params }: ClientMessage): string | undefined {
  if (method !== 'notifications/cancelled') return undefined
  const id = findMember(bytes, params, 'requestId')
  return id && toRepeatableId(textOf(bytes, id))
}

/** The id of a truncated message, if it is in the part that was kept. */
export function findIdOfBeginning(bytes: Uint8Array): string | undefined {
  const id = findMember(bytes, { start: 0, end: bytes.length }, 'id')
  return id && toRepeatableId(textOf(bytes, id))
}

/**
 * Whether two JSON texts are the same id. Integers beyond 2^53 are compared as texts, since numbers cannot represent
 * them exactly.
 */
export function isSameId(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [tryParseJson(a), tryParseJson(b)]
  if (typeof left === 'number' && !Number.isSafeInteger(left)) return false
  return left !== undefined && left === right
}

function toRepeatableId(text: string): string | undefined {
  return /^["\d-]/.test(text) && tryParseJson(text) !== undefined ? text : undefined
}
