import type { Client, StandardSchemaV1, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { Params } from '../../jsonrpc.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { VERSION } from '../../version.ts'
import type { Headers } from '../credentials.ts'
import { MAX_CALL_MS } from '../progress.ts'
import { type Exchange, runExchange } from './exchange.ts'
import { createEventStreamFetch, createStreamableFetch } from './guarded-fetch.ts'

/** The transport and MCP revision agreed on with an upstream; undefined before that. */
export type Negotiated = { transport: 'streamable' | 'events' | undefined; revision: string | undefined }

/** An initialized MCP connection. Its methods throw the SDK's errors, or OutboundError. */
export type Connection = {
  /** `events` is the older HTTP+SSE transport. */
  transport: 'streamable' | 'events'
  revision: string
  /** Whether the upstream uses a session, which it may drop. */
  hasSession: () => boolean
  listTools: (exchange: Exchange, cursor: string | undefined) => Promise<Params>
  /** Asks for progress reports if there is an `onProgress`. */
  callTool: (
    exchange: Exchange,
    tool: CalledTool,
    args: Params,
    onProgress?: (report: Params) => void,
  ) => Promise<Params>
  close: () => Promise<void>
}

/**
 * A tool under its upstream's name. `schema` is its input schema if some arguments must be repeated in HTTP headers.
 */
export type CalledTool = { name: string; schema: Params | undefined }

type ConnectOptions = {
  outbound: Outbound
  url: string
  headers: Headers
  timeoutMs: number
  maxBytes: number
  /** The upstream notified that its list of tools has changed. */
  onListChanged: () => void
  /** The event stream of the older transport broke. */
  onLost: () => void
}

/** Longer than any exchange, whose own deadline gives a better error. */
const SDK_TIMEOUT_MS = 2 * MAX_CALL_MS

/** Statuses with which a server that knows only the older transport answers a POST. */
const OLDER_TRANSPORT_STATUSES = [400, 404, 405]

/** Accepts any result: what an upstream sends is validated in `read-tools.ts` and `tool-result.ts`. */
const ANY_RESULT: StandardSchemaV1<unknown, Params> = {
  '~standard': { version: 1, vendor: 'memsvc', validate: (value) => ({ value: value as Params }) },
}

/** Keeps the SDK from compiling schemas of an upstream, which could take as long as the upstream likes. */
const CLIENT_OPTIONS = {
  versionNegotiation: { mode: 'auto' },
  inputRequired: { autoFulfill: false },
  jsonSchemaValidator: {
    getValidator: () => (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined }),
  },
} as const

/**
 * Connects over Streamable HTTP, in either era of the protocol, or over the older transport if the server supports
 * nothing else.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const sdk = await import('@modelcontextprotocol/client')
  const url = new URL(options.url)
  const initialize = async (transport: Transport): Promise<Client> => {
    const client = new sdk.Client({ name: 'memsvc', version: VERSION }, CLIENT_OPTIONS)
    client.setNotificationHandler('notifications/tools/list_changed', options.onListChanged)
    try {
      await runExchange(options, () => client.connect(transport, { timeout: options.timeoutMs }))
    } catch (error) {
      await transport.close()
      throw error
    }
    return client
  }
  const streamable = new sdk.StreamableHTTPClientTransport(url, { fetch: createStreamableFetch(options) })
  try {
    return toConnection('streamable', await initialize(streamable), () => endSession(streamable))
  } catch (error) {
    if (!(error instanceof sdk.SdkHttpError) || !OLDER_TRANSPORT_STATUSES.includes(error.status ?? 0)) throw error
    const events = new sdk.SSEClientTransport(url, { fetch: createEventStreamFetch(options) })
    // A server that has neither transport is reported by its answer to the first.
    const client = await initialize(events).catch((second) =>
      Promise.reject(second instanceof sdk.SseError ? error : second),
    )
    client.onerror = (problem) => problem instanceof sdk.SseError && options.onLost()
    return toConnection('events', client, () => client.close())
  }
}

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  await transport.terminateSession().catch(() => {})
  await transport.close()
}

function toConnection(transport: Connection['transport'], client: Client, close: () => Promise<void>): Connection {
  const toOptions = ({ signal }: Exchange) => ({ signal, timeout: SDK_TIMEOUT_MS })
  return {
    transport,
    revision: client.getNegotiatedProtocolVersion() ?? '?',
    hasSession: () => client.transport?.sessionId !== undefined,
    listTools: (exchange, cursor) =>
      client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ANY_RESULT,
        toOptions(exchange),
      ),
    callTool: (exchange, { name, schema }, args, onProgress) => {
      const params = { name, arguments: args }
      const onprogress = (report: object) => {
        exchange.onProgress()
        onProgress?.({ ...report })
      }
      const options = { ...toOptions(exchange), ...(onProgress && { onprogress }) }
      if (schema === undefined) return client.request({ method: 'tools/call', params }, ANY_RESULT, options)
      // With the tool's definition the SDK repeats in headers the arguments that ask for it.
      return client.callTool(params, {
        ...options,
        toolDefinition: { name, inputSchema: { ...schema, type: 'object' } },
      })
    },
    close,
  }
}
