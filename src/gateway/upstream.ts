import type { Means } from '../account/means.ts'
import type { Params } from '../jsonrpc.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import { type Asking, ask } from './asking.ts'
import { type Connection, connect } from './connection.ts'
import { decrypt } from './secret.ts'
import { type ReadTools, readTools } from './tools.ts'

/** The server behind an integration, connected when first asked and from then on. Throws whatever `toFailure` understands. */
export type Upstream = {
  /** The upstream's own answer, as it came, and its size in bytes. */
  call: (tool: UpstreamTool, args: Params, signal: AbortSignal) => Promise<{ answer: Params; bytes: number }>
  list: () => Promise<Listing>
  /** How it is spoken to; undefined until it is. */
  spoken: () => Pick<Connection, 'transport' | 'revision'> | undefined
  close: () => Promise<void>
}

/** `ttlMs` is undefined where the upstream does not say how long its list holds. */
export type Listing = ReadTools & { ttlMs: number | undefined }

/** Bounds of agreeing on a protocol, and of one page of a list. */
const CONNECTING = 10_000
const LIST_BYTES = 4_194_304
const MOST_PAGES = 50
const MOST_LISTED = 5_000

/** `changed` is called when the upstream says that its list is another now. */
export function createUpstream(
  means: Pick<Means, 'config' | 'random' | 'outbound' | 'clock'>,
  integration: Integration,
  changed: () => void,
): Upstream {
  const { outbound, clock } = means
  const listing = { timeoutMs: Math.min(CONNECTING, integration.timeoutMs), maxBytes: LIST_BYTES }
  let connecting: Promise<Connection> | undefined
  let connected: Connection | undefined

  function drop(): void {
    connecting = undefined
    connected = undefined
  }

  async function open(): Promise<Connection> {
    const headers = decrypt(means, integration)
    const lost = () => {
      void connected?.close()
      drop()
    }
    connected = await connect({ outbound, url: integration.url, headers, ...listing, changed, lost })
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
    call: async (tool, args, signal) => {
      const started = clock.ticks()
      return send((to) => {
        const timeoutMs = integration.timeoutMs - (clock.ticks() - started)
        return ask({ timeoutMs, maxBytes: integration.maxBytes, signal }, async (asking) => {
          const answer = await to.callTool(asking, tool, args)
          return { answer, bytes: asking.bytes }
        })
      })
    },
    list: () => send((to) => ask(listing, (asking) => readList(integration, to, asking))),
    spoken: () => connected,
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
async function readList(integration: Integration, connection: Connection, asking: Asking): Promise<Listing> {
  const first = await connection.listTools(asking, undefined)
  const values = elementsOf(first)
  let next = first.nextCursor
  for (let pages = 1; typeof next === 'string' && pages < MOST_PAGES && values.length < MOST_LISTED; pages++) {
    const page = await connection.listTools(asking, next)
    values.push(...elementsOf(page))
    next = page.nextCursor
  }
  const ttlMs = typeof first.ttlMs === 'number' && first.ttlMs >= 0 ? first.ttlMs : undefined
  return { ...readTools(integration, values.slice(0, MOST_LISTED)), ttlMs }
}

function elementsOf({ tools }: Params): unknown[] {
  if (!Array.isArray(tools)) throw new Error('no list of tools')
  return tools
}
