import type { Client, StandardSchemaV1, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { Params } from '../jsonrpc.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { VERSION } from '../version.ts'
import { type BoundedExchange, withBounds } from './exchange-bounds.ts'
import { createEventStreamFetch, createStreamableFetch } from './guarded-fetch.ts'
import type { Headers } from './secret.ts'

/** How an upstream is spoken to: the transport, and the revision of MCP; undefined until it is. */
export type Spoken = { transport: 'streamable' | 'events' | undefined; revision: string | undefined }

/** An upstream with which a protocol is agreed. Throws what the SDK throws, or OutboundError. */
export type Connection = {
  transport: 'streamable' | 'events'
  /** The revision of MCP agreed on. */
  revision: string
  /** Whether the upstream keeps a session that it may forget. */
  hasSession: () => boolean
  listTools: (asking: BoundedExchange, cursor: string | undefined) => Promise<Params>
  callTool: (asking: BoundedExchange, tool: CalledTool, args: Params) => Promise<Params>
  close: () => Promise<void>
}

/** A tool by its own name, with its input schema where a call repeats arguments in headers. */
export type CalledTool = { name: string; schema: Params | undefined }

type Given = {
  outbound: Outbound
  url: string
  headers: Headers
  timeoutMs: number
  maxBytes: number
  changed: () => void
  lost: () => void
}

/** Results pass as they came: the SDK is to check no more than the frame, and to compile no schema of an upstream. */
const RAW: StandardSchemaV1<unknown, Params> = {
  '~standard': { version: 1, vendor: 'memsvc', validate: (value) => ({ value: value as Params }) },
}
const options = {
  versionNegotiation: { mode: 'auto' },
  inputRequired: { autoFulfill: false },
  jsonSchemaValidator: {
    getValidator: () => (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined }),
  },
} as const

/** Statuses by which a server of the older transport of two endpoints answers a POST. */
const OLDER = [400, 404, 405]

/** Agrees on a protocol, of either era, over either transport. */
export async function connect(given: Given): Promise<Connection> {
  const sdk = await import('@modelcontextprotocol/client')
  const url = new URL(given.url)
  const open = async (transport: Transport): Promise<Client> => {
    const client = new sdk.Client({ name: 'memsvc', version: VERSION }, options)
    client.setNotificationHandler('notifications/tools/list_changed', given.changed)
    try {
      await withBounds(given, () => client.connect(transport, { timeout: given.timeoutMs }))
    } catch (error) {
      await transport.close()
      throw error
    }
    return client
  }
  const streamable = new sdk.StreamableHTTPClientTransport(url, { fetch: createStreamableFetch(given) })
  try {
    return toConnection('streamable', await open(streamable), () => endSession(streamable))
  } catch (error) {
    if (!(error instanceof sdk.SdkHttpError) || !OLDER.includes(error.status ?? 0)) throw error
    const events = new sdk.SSEClientTransport(url, { fetch: createEventStreamFetch(given) })
    const client = await open(events).catch((second) => Promise.reject(second instanceof sdk.SseError ? error : second))
    client.onerror = (problem) => problem instanceof sdk.SseError && given.lost()
    return toConnection('events', client, () => client.close())
  }
}

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  await transport.terminateSession().catch(() => {})
  await transport.close()
}

function toConnection(transport: Connection['transport'], client: Client, close: () => Promise<void>): Connection {
  const within = ({ signal, timeoutMs }: BoundedExchange) => ({ signal, timeout: timeoutMs + 1_000 })
  return {
    transport,
    revision: client.getNegotiatedProtocolVersion() ?? '?',
    hasSession: () => client.transport?.sessionId !== undefined,
    listTools: (asking, cursor) =>
      client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, RAW, within(asking)),
    callTool: (asking, { name, schema }, args) => {
      const params = { name, arguments: args }
      if (schema === undefined) return client.request({ method: 'tools/call', params }, RAW, within(asking))
      // Arguments that are repeated in headers: the SDK knows how, for a tool whose definition it is given.
      return client.callTool(params, { ...within(asking), toolDefinition: { name, inputSchema: { ...schema, type: 'object' } } })
    },
    close,
  }
}
