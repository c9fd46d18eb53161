import type { Caller } from '../account/caller.ts'
import { ProtocolError } from '../errors.ts'
import { Code, findId, type Id, readJson, readMessage, toErrorText, toResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import { after, type Soon } from '../soon.ts'
import type { Catalogue } from './catalogue.ts'
import { type Era, eraOf } from './era.ts'
import { METHODS, serverInfo } from './methods.ts'
import { toProtocolError } from './reply.ts'

/** What goes back over HTTP; no body when the message asked for no answer. */
export type Reply = { status: number; body: string | null }

/** What a request of a recognised caller stands on. */
export type Desk = { service: Service; catalogue: Catalogue }

/** Answers one posted body. Never throws. `signal()` is aborted when nobody waits for the answer any more. */
export function answer(desk: Desk, caller: Caller, headers: Headers, text: string, signal: () => AbortSignal): Soon<Reply> {
  let id: Id | null = null
  const refuse = (error: unknown): Reply => {
    const known = toProtocolError(desk.service, error)
    return { status: known.status, body: toErrorText(id, known) }
  }
  try {
    const value = readJson(text)
    id = findId(value) ?? null
    const message = readMessage(value)
    if (message.kind !== 'request') return { status: 202, body: null }
    const { method, params } = message
    const era = eraOf(method, params, headers)
    const reply = after(requireMethod(era, method)({ ...desk, caller, params, signal }), (result) => ({
      status: 200,
      body: toResultText(message.id, toResult(desk.service, era, result)),
    }))
    return reply instanceof Promise ? reply.catch(refuse) : reply
  } catch (error) {
    return refuse(error)
  }
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
