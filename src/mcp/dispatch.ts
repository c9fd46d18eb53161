import type { Caller } from '../account/auth/caller.ts'
import type { MessageKind } from '../account/limits/traffic.ts'
import { addCallError } from '../account/usage/count-calls.ts'
import { ProtocolError, TooMany, Unauthorized } from '../errors.ts'
import {
  Code,
  findId,
  type Id,
  type Message,
  type ObjectText,
  type ResultText,
  readJson,
  readMessage,
  toErrorText,
  toResultText,
  withMembers,
} from '../jsonrpc.ts'
import { noteRequest } from '../log/request.ts'
import type { Service } from '../service.ts'
import { type Era, eraOf, KEYED_METHODS, METHODS, serverInfo } from './methods.ts'
import { toMessages } from './progress.ts'
import { toProtocolError } from './reply.ts'
import type { McpContext, Method } from './request.ts'

/** One posted body of an authenticated caller. */
type Post = {
  caller: Caller
  /** Authenticates the caller again. @throws Unauthorized if the credential was revoked or expired meanwhile. */
  identify: () => Promise<Caller>
  headers: Headers
  text: string
  /** Bytes of the body that the caller's traffic limits have not counted yet. */
  uncountedBytes: number
  /** Aborted when the client has disconnected; created at the first call. */
  signal: () => AbortSignal
}

/**
 * An HTTP answer. `body` is null for a message without an answer; `retryAfter` is in seconds, and present only with
 * status 429.
 */
type Answer = { status: number; body: ObjectText | null; retryAfter?: number }

/**
 * An HTTP answer that is a stream of events, one message each; the last is the response. `ended` resolves when the call
 * has ended.
 */
type MessageStream = { status: 200; messages: AsyncGenerator<ObjectText, void>; ended: Promise<unknown> }

export type Reply = Answer | MessageStream

/**
 * Parses one message, counts it against the caller's traffic limits, and runs its method. Every error becomes a reply,
 * except Unauthorized, if the credential was revoked while the call waited.
 */
export async function dispatch(
  context: McpContext,
  { caller, identify, headers, text, uncountedBytes, signal }: Post,
): Promise<Reply> {
  const { service } = context
  const { id, message, error } = parseMessage(text)
  try {
    service.traffic.consumeMessage(caller, kindOf(message), uncountedBytes)
    if (message === undefined) throw error
    if (message.kind !== 'request') {
      if (isCancellation(message)) context.cancellations.cancel({ caller, headers }, message.params.requestId)
      return { status: 202, body: null }
    }
    const era = eraOf(message.method, message.params, headers)
    const method = requireMethod(era, caller, message.method)
    noteRequest({ method: message.method })
    const answer = await method({
      ...context,
      ...message,
      caller,
      identify,
      headers,
      bytes: Buffer.byteLength(text),
      signal,
    })
    const toText = (result: ResultText) => toResultText(message.id, withMeta(service, era, result))
    if ('text' in answer) return { status: 200, body: toText(answer) }
    const response = answer.result
      .then(toText)
      .catch((error) => toErrorText(message.id, toProtocolError(service, error)))
    return { status: 200, messages: toMessages(answer, context.timing, response), ended: response }
  } catch (error) {
    if (error instanceof Unauthorized) throw error
    if (error instanceof TooMany && kindOf(message) === 'call')
      addCallError(service, caller, { tool: 'unknown', outcome: 'refused', reason: 'traffic' })
    return toErrorReply(service, id, error)
  }
}

/** The message in a body and its id, or the error of parsing it; `id` is null if it cannot be read. */
function parseMessage(text: string): { id: Id | null; message?: Message; error?: unknown } {
  let id: Id | null = null
  try {
    const value = readJson(text)
    id = findId(value) ?? null
    return { id, message: readMessage(value) }
  } catch (error) {
    return { id, error }
  }
}

function isCancellation(message: Message): message is Message & { kind: 'notification' } {
  return message.kind === 'notification' && message.method === 'notifications/cancelled'
}

/** The kind by which a message is counted; an invalid message counts too. */
function kindOf(message: Message | undefined): MessageKind {
  if (message?.kind !== 'request') return 'other'
  if (message.method === 'tools/call') return 'call'
  return message.method === 'tools/list' ? 'list' : 'other'
}

function requireMethod(era: Era, { hosted }: Caller, method: string): Method {
  const found = METHODS[era].get(method)
  if (found === undefined || (hosted && KEYED_METHODS.includes(method)))
    throw new ProtocolError(Code.methodNotFound, 'Method not found', era === 'stateless' ? 404 : 200)
  return found
}

/** Adds `_meta`. In the stateless era every result states that it is complete, and which server it comes from. */
function withMeta(service: Service, era: Era, { text, meta }: ResultText): ObjectText {
  if (era === 'stateless')
    return withMembers(text, {
      resultType: 'complete',
      _meta: { ...meta, 'io.modelcontextprotocol/serverInfo': serverInfo(service) },
    })
  return meta === undefined ? text : withMembers(text, { _meta: meta })
}

function toErrorReply(service: Service, id: Id | null, error: unknown): Answer {
  if (error instanceof TooMany) return toTooManyReply(id, error)
  const known = toProtocolError(service, error)
  return { status: known.status, body: toErrorText(id, known) }
}

/** HTTP 429. */
export function toTooManyReply(id: Id | null, { message, seconds }: TooMany): Answer {
  const error = new ProtocolError(Code.invalidRequest, `Too Many Requests: ${message}`, 429)
  return { status: error.status, body: toErrorText(id, error), retryAfter: seconds }
}
