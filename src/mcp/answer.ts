import type { Caller } from '../account/caller.ts'
import { ProtocolError } from '../errors.ts'
import { Code, findId, type Id, readJson, readMessage, toErrorText, toResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Soon } from '../soon.ts'
import type { Catalogue } from './catalogue.ts'
import { type Era, eraOf } from './era.ts'
import { METHODS, serverInfo } from './methods.ts'
import { toProtocolError } from './reply.ts'

/** What goes back over HTTP; no body when the message asked for no answer. */
export type Reply = { status: number; body: string | null }

/** What a request of a recognised caller stands on. */
export type Desk = { service: Service; catalogue: Catalogue }

/** Answers one posted body. Never throws. `signal()` is aborted when nobody waits for the answer any more. */
export function answer(
  { service, catalogue }: Desk,
  caller: Caller,
  headers: Headers,
  text: string,
  signal: () => AbortSignal,
): Soon<Reply> {
  let id: Id | null = null
  try {
    const value = readJson(text)
    id = findId(value) ?? null
    const message = readMessage(value)
    if (message.kind !== 'request') return { status: 202, body: null }
    const { method, params } = message
    const era = eraOf(method, params, headers)
    const result = requireMethod(era, method)({ service, catalogue, caller, params, signal })
    return result instanceof Promise ? answerLater(service, message.id, era, result) : toReply(service, message.id, era, result)
  } catch (error) {
    return toRefusal(service, id, error)
  }
}

async function answerLater(service: Service, id: Id, era: Era, coming: Promise<string>): Promise<Reply> {
  try {
    return toReply(service, id, era, await coming)
  } catch (error) {
    return toRefusal(service, id, error)
  }
}

function toReply(service: Service, id: Id, era: Era, result: string): Reply {
  return { status: 200, body: toResultText(id, toResult(service, era, result)) }
}

function toRefusal(service: Service, id: Id | null, error: unknown): Reply {
  const known = toProtocolError(service, error)
  return { status: known.status, body: toErrorText(id, known) }
}

function requireMethod(era: Era, method: string) {
  const found = METHODS[era].get(method)
  if (found === undefined) throw new ProtocolError(Code.methodNotFound, 'Method not found', era === 'stateless' ? 404 : 200)
  return found
}

/** The stateless era marks every result as complete and says who answers. */
function toResult(service: Service, era: Era, result: string): string {
  if (era === 'handshake') return result
  const mark = JSON.stringify({ resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(service) } })
  return `${result.slice(0, -1)},${mark.slice(1)}`
}
