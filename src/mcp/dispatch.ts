import type { Caller } from '../account/auth/caller.ts'
import type { MessageKind, Traffic } from '../account/limits/traffic.ts'
import { ProtocolError, TooMany } from '../errors.ts'
import {
  Code,
  findId,
  type Id,
  type Message,
  type ObjectText,
  readJson,
  readMessage,
  toErrorText,
  toResultText,
  withMembers,
} from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Soon } from '../soon.ts'
import type { Catalogue } from './catalogue.ts'
import { type Era, eraOf } from './era.ts'
import { METHODS, serverInfo } from './methods.ts'
import { toProtocolError } from './reply.ts'

/** What goes back over HTTP; no body when the message asked for no answer. `retryAfter`, in seconds, where more was sent than may be. */
export type Reply = { status: number; body: ObjectText | null; retryAfter?: number }

/** What a request of a recognised caller stands on. */
export type McpContext = { service: Service; catalogue: Catalogue }

/**
 * Answers one posted body. Never throws. `signal()` is aborted when nobody waits for the answer any more. `lightBytes` are those of a body
 * that was read before it was counted.
 */
export function dispatch(
  { service, catalogue }: McpContext,
  caller: Caller,
  headers: Headers,
  text: string,
  signal: () => AbortSignal,
  lightBytes = 0,
): Soon<Reply> {
  let id: Id | null = null
  try {
    const message = readCounted(service.traffic, caller, text, lightBytes, (found) => {
      id = found
    })
    if (message.kind !== 'request') return { status: 202, body: null }
    const { method, params } = message
    const era = eraOf(method, params, headers)
    const result = requireMethod(era, method)({ service, catalogue, caller, params, signal })
    return result instanceof Promise ? answerLater(service, message.id, era, result) : toReply(service, message.id, era, result)
  } catch (error) {
    return toRefusal(service, id, error)
  }
}

async function answerLater(service: Service, id: Id, era: Era, coming: Promise<ObjectText>): Promise<Reply> {
  try {
    return toReply(service, id, era, await coming)
  } catch (error) {
    return toRefusal(service, id, error)
  }
}

function toReply(service: Service, id: Id, era: Era, result: ObjectText): Reply {
  return { status: 200, body: toResultText(id, toResult(service, era, result)) }
}

/** What has no message in it counts as one all the same. Throws ProtocolError for that, TooMany where more was sent than may be. */
function readCounted(traffic: Traffic, caller: Caller, text: string, bytes: number, found: (id: Id | null) => void): Message {
  let kind: MessageKind = 'other'
  try {
    const value = readJson(text)
    found(findId(value) ?? null)
    const message = readMessage(value)
    kind = kindOf(message)
    return message
  } finally {
    traffic.takeMessage(caller, kind, bytes)
  }
}

function kindOf(message: Message): MessageKind {
  if (message.kind !== 'request') return 'other'
  if (message.method === 'tools/call') return 'call'
  return message.method === 'tools/list' ? 'list' : 'other'
}

/** What is answered where more was sent than may be: HTTP 429. */
export function toTooMany(id: Id | null, { message, seconds }: TooMany): Reply {
  const error = new ProtocolError(Code.invalidRequest, `Too Many Requests: ${message}`, 429)
  return { status: error.status, body: toErrorText(id, error), retryAfter: seconds }
}

function toRefusal(service: Service, id: Id | null, error: unknown): Reply {
  if (error instanceof TooMany) return toTooMany(id, error)
  const known = toProtocolError(service, error)
  return { status: known.status, body: toErrorText(id, known) }
}

function requireMethod(era: Era, method: string) {
  const found = METHODS[era].get(method)
  if (found === undefined) throw new ProtocolError(Code.methodNotFound, 'Method not found', era === 'stateless' ? 404 : 200)
  return found
}

/** The stateless era marks every result as complete and says who answers. */
function toResult(service: Service, era: Era, result: ObjectText): ObjectText {
  if (era === 'handshake') return result
  return withMembers(result, { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(service) } })
}
