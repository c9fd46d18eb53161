import type { Params } from '../jsonrpc.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { MAX_ANSWER_BYTES } from './bounds.ts'
import { type CalledTool, type Connection, connect, type Spoken } from './connection.ts'
import { type BoundedExchange, withBounds } from './exchange-bounds.ts'
import type { Target } from './messages.ts'
import type { Room } from './room.ts'
import { type ReadTools, readTools } from './tools.ts'

/** How long a question is waited for, and the room its answer takes. */
export type Waited = { signal: AbortSignal; room: Room }

/** The server behind an integration, connected when first asked and from then on. Throws whatever `toFailure` understands. */
export type Upstream = {
  /** The upstream's own answer, as it came, and its size in bytes. */
  call: (tool: CalledTool, args: Params, waited: Waited) => Promise<{ answer: Params; bytes: number }>
  list: (waited: Waited) => Promise<Listing>
  spoken: () => Spoken
  close: () => Promise<void>
}

/** `ttlMs` is undefined where the upstream does not say how long its list holds. */
export type Listing = ReadTools & { ttlMs: number | undefined }

/** Bounds of agreeing on a protocol, and of all pages of a list. */
const CONNECT_TIMEOUT_MS = 10_000
const MAX_LIST_BYTES = 4_194_304
const MAX_PAGES = 50
const MAX_LISTED_TOOLS = 5_000
const MAX_CURSOR_CHARACTERS = 4_096

/** `changed` is called when the upstream says that its list is another now. */
export function createUpstream(outbound: Outbound, target: Target, changed: () => void): Upstream {
  const { url, headers, timeoutMs } = target
  const listing = { timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs), maxBytes: MAX_LIST_BYTES }
  let connecting: Promise<Connection> | undefined
  let connected: Connection | undefined

  function drop(): void {
    connecting = undefined
    connected = undefined
  }

  async function open(): Promise<Connection> {
    const lost = () => {
      void connected?.close()
      drop()
    }
    connected = await connect({ outbound, url, headers, ...listing, changed, lost })
    return connected
  }

  function connection(): Promise<Connection> {
    connecting ??= open().catch((error) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  /** A session the upstream has forgotten is made anew, once: it says so before it looks at the request. */
  async function send<T>(act: (connection: Connection) => Promise<T>): Promise<T> {
    const first = await connection()
    try {
      return await act(first)
    } catch (error) {
      const { status } = error as { status?: unknown }
      if (typeof status === 'number' && connected === first) drop()
      if (!first.hasSession() || !isForgotten(error)) throw error
      return act(await connection())
    }
  }

  return {
    call: async (tool, args, waited) => {
      const started = performance.now()
      return send((to) => {
        const left = timeoutMs - (performance.now() - started)
        const maxBytes = Math.min(target.maxBytes, MAX_ANSWER_BYTES)
        return withBounds({ timeoutMs: left, maxBytes, ...waited }, async (asking) => {
          const answer = await to.callTool(asking, tool, args)
          return { answer, bytes: asking.bytes }
        })
      })
    },
    list: (waited) => send((to) => withBounds({ ...listing, ...waited }, (asking) => readList(target, to, asking))),
    spoken: () => ({ transport: connected?.transport, revision: connected?.revision }),
    close: async () => {
      const open = connecting
      drop()
      await (await open?.catch(() => undefined))?.close()
    },
  }
}

/** What the protocol says of a session that is not there (404), and how many servers say it. */
function isForgotten(error: unknown): boolean {
  const { status, data } = error as { status?: unknown; data?: { text?: unknown } }
  return status === 404 || (status === 400 && /session/i.test(String(data?.text)))
}

/** All pages, within bounds: an upstream may have no last one. */
async function readList({ picked }: Target, connection: Connection, asking: BoundedExchange): Promise<Listing> {
  const first = await connection.listTools(asking, undefined)
  let values = elementsOf(first)
  let next = cursorOf(first)
  for (let pages = 1; next !== undefined && pages < MAX_PAGES && values.length < MAX_LISTED_TOOLS; pages++) {
    const page = await connection.listTools(asking, next)
    values = values.concat(elementsOf(page))
    next = cursorOf(page)
  }
  const ttlMs = typeof first.ttlMs === 'number' && first.ttlMs >= 0 ? first.ttlMs : undefined
  return { ...readTools(picked, values.slice(0, MAX_LISTED_TOOLS)), ttlMs }
}

function elementsOf({ tools }: Params): unknown[] {
  if (!Array.isArray(tools)) throw new Error('no list of tools')
  return tools
}

function cursorOf({ nextCursor }: Params): string | undefined {
  return typeof nextCursor === 'string' && nextCursor.length <= MAX_CURSOR_CHARACTERS ? nextCursor : undefined
}
