import { ServiceError } from '../errors.ts'
import { isObject } from '../jsonrpc.ts'
import { sha256Hex } from '../secrets/secret.ts'
import { VERSION } from '../version.ts'
import { readBytes, toBusy, toObject, toServiceError, toUnexpected } from './answer.ts'
import { type Environment, isCalledDirectly, readEndpoint, readKey } from './config.ts'

/** A request to the service; the client adds the key and the user agent. */
type ServiceRequest = {
  method: 'GET' | 'POST' | 'PUT'
  /** Relative to the base URL, such as `/mcp`. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
  /** Aborts the request, and reading its response. */
  signal?: AbortSignal
  /** Time limit for the complete response; undefined for no limit. */
  timeoutMs?: number
  /**
   * Whether a new connection is made. A kept one may have died unnoticed, and then it is unknown whether the request
   * arrived.
   */
  ownConnection?: boolean
}

/** The response of `GET /v1/key`. */
export type KeyInfo = {
  service_version: string
  api_version: string
  tenant_id: string
  account: string
  project_id: string
  project: string
  /** Who holds the key: a member or, for a service key, the key itself; and their name, or its label. */
  holder_id: string
  holder_kind: 'member' | 'service key'
  holder: string
  /** Number of live keys of the project that the holder has. */
  holder_keys: number
  /** The first characters of the key after its prefix. */
  key: string
  key_label: string
  key_expires_at: string | null
  subscription: 'none' | 'active' | 'grace' | 'suspended'
  subscription_until: string | null
  /** Number of entries of `tools/list`. */
  tools: number
  /** Clock of the service. */
  server_time: string
}

/** The answer of a successful tool call. */
type ToolAnswer = { structuredContent: Record<string, unknown>; text: string }

export type ServiceClient = ReturnType<typeof createServiceClient>

/** Maximum size of answers of `readKeyInfo` and `callTool`; the service's have at most 2 MiB. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20

const USER_AGENT = `memsvc-agent/${VERSION} (${process.platform})`

/**
 * The client for the service on a user's machine. Every method throws ServiceError.
 *
 * @throws ServiceError `endpoint_invalid`. A missing or malformed key is reported by the first request, which is then
 *   not sent.
 */
export function createServiceClient(environment: Environment) {
  const baseUrl = readEndpoint(environment)

  /**
   * Resolves with any response but 401 and redirects, as soon as its headers are there. After a 401, which means that
   * nothing was done, a key that was replaced in its file is tried.
   */
  async function send(request: ServiceRequest): Promise<Response> {
    const key = await readKey(environment)
    const answer = await sendWith(baseUrl, key, request)
    if (answer.status !== 401) return answer
    await answer.body?.cancel()
    const current = await readKey(environment)
    const again = current === key ? answer : await sendWith(baseUrl, current, request)
    if (again.status !== 401) return again
    throw new ServiceError(
      'key_rejected',
      'The API key was rejected (HTTP 401). It may be revoked, expired, or of another service. Issue another one in the console and set SVC_API_KEY.',
      401,
    )
  }

  return {
    /** Without a trailing slash. */
    baseUrl,
    /** Identifies this service and key without revealing them: 16 hexadecimal digits. */
    identify: async () => sha256Hex(`${baseUrl} ${await readKey(environment)}`).slice(0, 16),
    send,
    /** Reads the facts about the key. Not counted by rate limits. */
    readKeyInfo: async (timeoutMs: number) => {
      const answer = await send({ method: 'GET', path: '/v1/key', timeoutMs })
      const info = await requireObject(answer)
      if (typeof info.project_id !== 'string') throw toUnexpected(answer)
      return info as KeyInfo
    },
    /** Calls a tool, with `_meta` if given; throws `refused` with the tool's message if it refuses. */
    callTool: async (name: string, args: object, timeoutMs: number, meta?: object) => {
      const params = { name, arguments: args, _meta: meta }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      return toToolAnswer(
        await requireObject(await send({ method: 'POST', path: '/mcp', headers: MESSAGE_HEADERS, body, timeoutMs })),
      )
    },
  }
}

/** The same, but invalid settings give a client whose methods all fail with that error. Its base URL is then empty. */
export function openServiceClient(environment: Environment): ServiceClient {
  try {
    return createServiceClient(environment)
  } catch (caught) {
    const error = toServiceError(caught)
    const fail = () => Promise.reject(error)
    return { baseUrl: '', identify: fail, send: fail, readKeyInfo: fail, callTool: fail }
  }
}

/** The headers of a posted MCP message. */
export const MESSAGE_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

async function sendWith(baseUrl: string, key: string, request: ServiceRequest): Promise<Response> {
  const { method, path, headers, body, signal, timeoutMs, ownConnection = false } = request
  const ends = [...(signal ? [signal] : []), ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)])]
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, Authorization: `Bearer ${key}`, 'User-Agent': USER_AGENT },
    body: body ?? null,
    signal: AbortSignal.any(ends),
    // The key must not follow a redirect to another host.
    redirect: 'manual',
    keepalive: !ownConnection,
    ...(isCalledDirectly(baseUrl) && { proxy: false }),
  }).catch((error) => {
    throw toServiceError(error)
  })
  if (answer.status < 300 || answer.status > 399) return answer
  await answer.body?.cancel()
  throw new ServiceError(
    'unexpected',
    `${baseUrl} answered with a redirect (HTTP ${answer.status}). Set SVC_ENDPOINT to where it leads.`,
    answer.status,
  )
}

/** The JSON object of an answer with status 200. */
async function requireObject(answer: Response): Promise<Record<string, unknown>> {
  const bytes = await readBytes(answer, MAX_ANSWER_BYTES).catch((error) => {
    throw toServiceError(error)
  })
  if (answer.status === 429 || answer.status === 503) throw toBusy(answer)
  const value = toObject(bytes)
  if (answer.status === 200 && value !== undefined) return value
  throw toUnexpected(answer)
}

function toToolAnswer({ result, error }: Record<string, unknown>): ToolAnswer {
  if (!isObject(result))
    throw new ServiceError(
      'refused',
      isObject(error) ? String(error.message) : 'The service answered without a result.',
    )
  const content: unknown[] = Array.isArray(result.content) ? result.content : []
  const texts = content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))
  // The second block of a refusal says what to do.
  if (result.isError === true) throw new ServiceError('refused', texts.join('\n'))
  return { text: texts[0] ?? '', structuredContent: isObject(result.structuredContent) ? result.structuredContent : {} }
}
