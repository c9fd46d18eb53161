import type { Params } from '../../jsonrpc.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { UpstreamTarget } from '../messages.ts'
import { MAX_CALL_MS } from '../progress.ts'
import { type CalledTool, type Connection, connect, type Negotiated } from './connection.ts'
import { type Exchange, MAX_ANSWER_BYTES, runExchange } from './exchange.ts'
import type { Reservation } from './open-requests.ts'
import { type ReadTools, readTools } from './read-tools.ts'

/**
 * The abort signal of a request to an upstream, and the memory reservation of its answer. With `onProgress`, progress
 * reports are requested.
 */
export type RequestScope = {
  signal: AbortSignal
  reservation: Reservation
  onProgress?: ((report: Params) => void) | undefined
}

/**
 * The server behind an integration. Connected by the first request, and kept connected. Methods throw errors that
 * `describeFailure` understands.
 */
export type Upstream = {
  /** The unchecked result of `tools/call`, and its size in bytes. */
  call: (tool: CalledTool, args: Params, scope: RequestScope) => Promise<{ answer: Params; bytes: number }>
  list: (scope: RequestScope) => Promise<ToolListing>
  negotiated: () => Negotiated
  close: () => Promise<void>
}

/** `ttlMs` is undefined if the upstream does not say how long its list is valid. */
type ToolListing = ReadTools & { ttlMs: number | undefined }

/** Bounds of connecting, and of all pages of a list together. */
const CONNECT_TIMEOUT_MS = 10_000
const MAX_LIST_BYTES = 4_194_304
const MAX_PAGES = 50
const MAX_LISTED_TOOLS = 5_000
const MAX_CURSOR_CHARACTERS = 4_096

/** `onListChanged` is called when the upstream notifies that its list of tools has changed. */
export function createUpstream(outbound: Outbound, target: UpstreamTarget, onListChanged: () => void): Upstream {
  const { url, headers, timeoutMs } = target
  const listBounds = { timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), maxBytes: MAX_LIST_BYTES }
  let connecting: Promise<Connection> | undefined
  let connected: Connection | undefined

  function drop(): void {
    connecting = undefined
    connected = undefined
  }

  async function open(): Promise<Connection> {
    const onLost = () => {
      void connected?.close()
      drop()
    }
    connected = await connect({ outbound, url, headers, ...listBounds, onListChanged, onLost })
    return connected
  }

  function connection(): Promise<Connection> {
    connecting ??= open().catch((error) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /**
   * Sends a request, and once more over a new session if the upstream has dropped the old one, which it reports before
   * processing the request.
   */
  async function send<T>(request: (connection: Connection) => Promise<T>): Promise<T> {
    const first = await connection()
    try {
      return await request(first)
    } catch (error) {
      if (isOfConnection(error) && connected === first) drop()
      if (!first.hasSession() || !isSessionForgotten(error)) throw error
      return request(await connection())
    }
  }

  return {
    call: async (tool, args, scope) => {
      const startedAt = performance.now()
      const maxBytes = Math.min(target.maxBytes, MAX_ANSWER_BYTES)
      return send((connection) => {
        const left = timeoutMs - (performance.now() - startedAt)
        const totalMs = scope.onProgress && MAX_CALL_MS
        return runExchange({ timeoutMs: left, totalMs, maxBytes, ...scope }, async (exchange) => {
          const answer = await connection.callTool(exchange, tool, args, scope.onProgress)
          return { answer, bytes: exchange.bytes }
        })
      })
    },
    list: (scope) =>
      send((connection) =>
        runExchange({ ...listBounds, ...scope }, (exchange) => readList(target, connection, exchange)),
      ),
    negotiated: () => ({ transport: connected?.transport, revision: connected?.revision }),
    close: async () => {
      const open = connecting
      drop()
      await (await open?.catch(() => undefined))?.close()
    },
  }
}

/** Statuses of a busy server or of a proxy before it, which say nothing of the connection. */
const PASSING_STATUSES = [429, 502, 503, 504]

/** Whether an HTTP status may be due to the connection: its session, its version or its credential. */
function isOfConnection(error: unknown): boolean {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && !PASSING_STATUSES.includes(status)
}

/** The protocol's answer for an unknown session is 404; many servers answer 400 and say it in the body. */
function isSessionForgotten(error: unknown): boolean {
  const { status, data } = error as { status?: unknown; data?: { text?: unknown } }
  return status === 404 || (status === 400 && /session/i.test(String(data?.text)))
}

/** Reads all pages within the bounds, because an upstream may never send a last one. */
async function readList({ picked }: UpstreamTarget, connection: Connection, exchange: Exchange): Promise<ToolListing> {
  const first = await connection.listTools(exchange, undefined)
  let values = toolsOf(first)
  let cursor = cursorOf(first)
  for (let pages = 1; cursor !== undefined && pages < MAX_PAGES && values.length < MAX_LISTED_TOOLS; pages++) {
    const page = await connection.listTools(exchange, cursor)
    values = values.concat(toolsOf(page))
    cursor = cursorOf(page)
  }
  const ttlMs = typeof first.ttlMs === 'number' && first.ttlMs >= 0 ? first.ttlMs : undefined
  return { ...readTools(picked, values.slice(0, MAX_LISTED_TOOLS)), ttlMs }
}

function toolsOf({ tools }: Params): unknown[] {
  if (!Array.isArray(tools)) throw new Error('no list of tools')
  return tools
}

function cursorOf({ nextCursor }: Params): string | undefined {
  return typeof nextCursor === 'string' && nextCursor.length <= MAX_CURSOR_CHARACTERS ? nextCursor : undefined
}
