import type { ServiceError, ServiceErrorCode } from '../../errors.ts'
import { HANDSHAKE_VERSIONS } from '../../protocol-versions.ts'
import { VERSION } from '../../version.ts'
import { findMember, findString } from './json-bytes.ts'
import type { ClientMessage } from './message.ts'
import { OWN_TOOL_ENTRY } from './own-tool.ts'

/** What the agent itself says to its client. Ids are repeated as they were written. */

/** How long a client of the stateless era may keep a list that was read while the service was away. */
const OFFLINE_LIST_TTL_MS = 5_000

/** Outside of the range that JSON-RPC and MCP reserve, so that they are not taken for the service's. */
const KEY_ERROR = 1401
const TIMEOUT_ERROR = 1408
const TOO_LARGE_ERROR = 1413
const SERVICE_ERROR = 1503
const ERROR_CODES: Partial<Record<ServiceErrorCode, number>> = {
  key_missing: KEY_ERROR,
  key_malformed: KEY_ERROR,
  key_rejected: KEY_ERROR,
  endpoint_invalid: KEY_ERROR,
  timeout: TIMEOUT_ERROR,
}

/** A response with this result. In the stateless era it says that it is complete. */
export function toResult({ id, version }: Pick<ClientMessage, 'id' | 'version'>, result: Record<string, unknown>): Uint8Array {
  return toResponse(id, 'result', JSON.stringify(version === undefined ? result : { ...result, resultType: 'complete' }))
}

/** A response that says why the service's own is missing. `advice` is added to the text of the error. */
export function toError(id: string | undefined, { code, message, status, retryAfterSeconds }: ServiceError, advice = ''): Uint8Array {
  const data = { origin: 'memsvc-agent', reason: code, httpStatus: status, retryAfterSeconds }
  return toResponse(id, 'error', JSON.stringify({ code: ERROR_CODES[code] ?? SERVICE_ERROR, message: message + advice, data }))
}

/** A response to a line that was not sent on. */
export function toTooLarge(id: string | undefined, maxBytes: number): Uint8Array {
  const error = {
    code: TOO_LARGE_ERROR,
    message: `The message is larger than ${maxBytes} bytes and was not sent.`,
    data: { origin: 'memsvc-agent' },
  }
  return toResponse(id, 'error', JSON.stringify(error))
}

/** The answer to `initialize` while the service cannot give its own. It agrees to the revision that the client asks for, as the service would. */
export function toInitialized(message: ClientMessage, error: ServiceError): Uint8Array {
  const wish = findString(message.bytes, findMember(message.bytes, message.params, 'protocolVersion')) ?? ''
  const instructions =
    'Long-term memory of this project. When this session began, the memory service could not be used: ' +
    `${error.message} Its tools appear as soon as it can be; until then tell the user why they are missing.`
  return toResult(message, {
    protocolVersion: HANDSHAKE_VERSIONS.includes(wish) ? wish : HANDSHAKE_VERSIONS[0],
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'memsvc-agent', version: VERSION },
    instructions,
  })
}

/** The answer to `tools/list` while the service cannot give its own. `known` is the JSON of the tools that it listed last. */
export function toKnownList({ id, version }: ClientMessage, known: string): Uint8Array {
  const tools = known.slice(1, -1).trim() === '' ? `[${OWN_TOOL_ENTRY}]` : `${known.slice(0, -1)},${OWN_TOOL_ENTRY}]`
  const members = { resultType: 'complete', ttlMs: OFFLINE_LIST_TTL_MS, cacheScope: 'private' }
  const rest = version === undefined ? '' : `,${JSON.stringify(members).slice(1, -1)}`
  return toResponse(id, 'result', `{"tools":${tools}${rest}}`)
}

/** Tells the client to read the list of tools again. */
export const LIST_CHANGED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')

function toResponse(id: string | undefined, member: 'result' | 'error', json: string): Uint8Array {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id ?? 'null'},"${member}":${json}}`)
}
