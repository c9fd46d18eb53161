import type { ServiceError, ServiceErrorCode } from '../../errors.ts'
import { HANDSHAKE_VERSIONS } from '../../protocol-versions.ts'
import { VERSION } from '../../version.ts'
import type { SyncReport } from '../histories/sync/report.ts'
import { findMember, findString } from './json-bytes.ts'
import type { ClientMessage } from './message.ts'

/** The agent's own tool. */
const OWN_TOOL = 'memsvc_sync_status'

const TEXT = { type: 'string' }
const FLAG = { type: 'boolean' }
const COUNT = { type: 'integer' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const objectOf = (properties: Record<string, unknown>) => ({ type: 'object', properties })

const OUTPUT_SCHEMA = {
  ...objectOf({
    state: { type: 'string', enum: ['disabled', 'idle', 'scanning', 'uploading', 'backing_off', 'paused', 'error'] },
    reason: TEXT_OR_NULL,
    enabled: FLAG,
    searchable: FLAG,
    note: TEXT,
    endpoint: TEXT_OR_NULL,
    agent_version: TEXT,
    device: TEXT_OR_NULL,
    project_dirs: { type: 'array', items: TEXT },
    uploader: { type: 'string', enum: ['this_process', 'other_process', 'none'] },
    last_success_at: TEXT_OR_NULL,
    last_attempt_at: TEXT_OR_NULL,
    next_attempt_at: TEXT_OR_NULL,
    totals: objectOf({
      sessions: objectOf({ known: COUNT, synced: COUNT, pending: COUNT, failed: COUNT, excluded: COUNT }),
      bytes: objectOf({ uploaded: COUNT, pending: COUNT }),
      records_uploaded: COUNT,
      secrets_redacted: COUNT,
    }),
    assistants: { type: 'array', items: { type: 'object' } },
    current: { type: ['object', 'null'] },
    last_error: { type: ['object', 'null'] },
    as_of: TEXT,
  }),
  required: ['state', 'reason', 'enabled', 'searchable', 'note', 'endpoint', 'agent_version', 'as_of'],
}

/** The entry of the agent's own tool in `tools/list`. */
export const OWN_TOOL_ENTRY = JSON.stringify({
  name: OWN_TOOL,
  description:
    'State of the upload of coding-assistant session histories from this machine to the memory service. Takes no arguments, works offline, changes nothing. ' +
    'Uploaded histories are not returned by search.',
  inputSchema: objectOf({}),
  outputSchema: OUTPUT_SCHEMA,
  annotations: { readOnlyHint: true, idempotentHint: true },
})

/** Whether a message calls the agent's own tool. */
export function isOwnCall({ method, name }: Pick<ClientMessage, 'method' | 'name'>): boolean {
  return method === 'tools/call' && name === OWN_TOOL
}

/** The result of a call of the agent's own tool. */
export function toOwnResult(report: SyncReport): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(report) }], structuredContent: report, isError: false }
}

// Answers made by the agent itself. Ids are repeated as they were written.

/** How long a client of the stateless era may cache a list that was read while the service was unavailable. */
const OFFLINE_LIST_TTL_MS = 5_000

/** Outside the range reserved by JSON-RPC and MCP, so that these codes are not mistaken for the service's. */
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

/** A response with this result. In the stateless era it is marked as complete. */
export function toResult(
  { id, version }: Pick<ClientMessage, 'id' | 'version'>,
  result: Record<string, unknown>,
): Uint8Array {
  return toResponse(
    id,
    'result',
    JSON.stringify(version === undefined ? result : { ...result, resultType: 'complete' }),
  )
}

/** An error response in place of the service's. `advice` is appended to the message. */
export function toError(
  id: string | undefined,
  { code, message, status, retryAfterSeconds }: ServiceError,
  advice = '',
): Uint8Array {
  const data = { origin: 'memsvc-agent', reason: code, httpStatus: status, retryAfterSeconds }
  return toResponse(
    id,
    'error',
    JSON.stringify({ code: ERROR_CODES[code] ?? SERVICE_ERROR, message: message + advice, data }),
  )
}

/** The error response to a line that was too long to be forwarded. */
export function toTooLarge(id: string | undefined, maxBytes: number): Uint8Array {
  const error = {
    code: TOO_LARGE_ERROR,
    message: `The message is larger than ${maxBytes} bytes and was not sent.`,
    data: { origin: 'memsvc-agent' },
  }
  return toResponse(id, 'error', JSON.stringify(error))
}

/**
 * The answer to `initialize` while the service is unavailable. It agrees to the client's protocol version, as the
 * service would.
 */
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

/** The answer to `tools/list` while the service is unavailable. `known` is the JSON text of the last known tools. */
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
