import type { AppContext } from '../account/context.ts'
import { yieldIfDue } from '../cooperative.ts'
import type { Params } from '../jsonrpc.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import { findFailure } from './failure.ts'
import { type Listed, toListed } from './listed-tool.ts'
import type { ListAnswer, Target } from './messages.ts'
import { decrypt } from './secret.ts'
import type { Called, UpstreamThread } from './thread.ts'

/** What an upstream said of its tools, read. */
export type Listing = Omit<ListAnswer, 'tools'> & { tools: UpstreamTool[] }

/** One integration as it is held open: its upstream, and what is known of its tools. */
export type UpstreamClient = {
  integration: Integration
  /** Calls a tool. Throws whatever `findFailure` understands. */
  call: (tool: UpstreamTool, args: Params, signal: AbortSignal) => Promise<Called>
  /** What was heard last, by this process or an earlier one; undefined when nothing ever was. */
  heard: () => Promise<Listed | undefined>
  /** The same, for a list: old news start a question in the background, and only where nothing was ever heard is it waited for. */
  known: () => Promise<Listed | undefined>
  /** What holds now: asks the upstream where the list is too old. Throws whatever the upstream throws. */
  current: () => Promise<Listed>
  /** Asks the upstream; those who ask at once share one question. */
  refresh: () => Promise<Listing>
  /** Calls on their way. */
  inFlight: () => number
  /** Runs a call. */
  carry: <T>(call: () => Promise<T>) => Promise<T>
  /** Closes the connection once the calls on their way have ended. */
  retire: () => void
  /** When it was last of use, by the monotonic clock. */
  usedAt: number
}

type Held = { listed: Listed; text: string; until: number; renewAt: number }

/** How long a list holds, in milliseconds: as long as its upstream says, within bounds. */
const DEFAULT_TTL_MS = 60_000
const MIN_TTL_MS = 5_000
const MAX_TTL_MS = 24 * 60 * 60 * 1_000
/** How long an upstream that did not answer is left alone by mere lists. */
const RETRY_PAUSE_MS = 10_000

export type UpstreamContext = AppContext & { upstreams: UpstreamThread }

export function createUpstreamClient(ctx: UpstreamContext, integration: Integration): UpstreamClient {
  const { store, clock, log, upstreams } = ctx
  const id = upstreams.newLine(() => void renew())
  let target: Target | undefined
  let held: Held | undefined
  let loading: Promise<void> | undefined
  let refreshing: Promise<Listing> | undefined
  let restUntil = Number.NEGATIVE_INFINITY
  let inFlight = 0
  let retired = false

  /** Throws a Refusal when the credential cannot be decrypted. */
  function toTarget(): Target {
    const { accountId, url, timeoutMs, maxBytes, tools: picked } = integration
    target ??= { line: id, accountId, url, timeoutMs, maxBytes, picked, headers: decrypt(ctx, integration) }
    return target
  }

  async function hold(tools: UpstreamTool[], text: string, ttlMs: number | undefined, from: number): Promise<Held> {
    const ttl = Math.min(Math.max(ttlMs ?? DEFAULT_TTL_MS, MIN_TTL_MS), MAX_TTL_MS)
    const listed = held?.text === text ? held.listed : await toListed(integration, tools)
    held = { listed, text, until: from + ttl, renewAt: from + ttl / 2 }
    return held
  }

  /** What was known when the service last ran; too old to be trusted with a call. */
  async function load(): Promise<void> {
    const list = await store.control.findToolList(integration.id)
    if (list !== undefined && held === undefined) await hold(list.tools, JSON.stringify(list.tools), 0, Number.NEGATIVE_INFINITY)
  }

  async function fetchList(): Promise<Listing> {
    try {
      const answer = await upstreams.list({ kind: 'list', target: toTarget() })
      const listing = { ...answer, tools: await readAll(answer.tools) }
      const [before, text] = [held?.text, `[${answer.tools.join()}]`]
      await hold(listing.tools, text, listing.ttlMs, clock.ticks())
      if (text !== before) await keep(listing)
      return listing
    } catch (error) {
      restUntil = clock.ticks() + RETRY_PAUSE_MS
      log('tools of an integration not renewed', { integration: integration.id, kind: findFailure(error).kind })
      throw error
    }
  }

  /** Written only when something changed. */
  function keep({ tools, ttlMs }: Listing): Promise<void> {
    const list = { integrationId: integration.id, tools, ttlMs: ttlMs ?? DEFAULT_TTL_MS, fetchedAt: clock.now() }
    return store.control.write((tx) => tx.saveToolList(list)).catch((error) => log('tool list not saved', { error: String(error) }))
  }

  function refresh(): Promise<Listing> {
    refreshing ??= fetchList().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  /** In the background; what goes wrong shows when somebody needs the answer. */
  async function renew(): Promise<void> {
    await refresh().catch(() => {})
  }

  function closeIfDone(): void {
    if (retired && inFlight === 0) upstreams.forget(id)
  }

  async function settle(): Promise<Held | undefined> {
    loading ??= load()
    await loading
    return held
  }

  return {
    integration,
    call: (tool, args, signal) => {
      const schema = tool.mirrored ? JSON.stringify(tool.inputSchema) : undefined
      return upstreams.call({ kind: 'call', target: toTarget(), tool: tool.name, args: JSON.stringify(args), schema }, signal)
    },
    inFlight: () => inFlight,
    carry: async (call) => {
      inFlight += 1
      try {
        return await call()
      } finally {
        inFlight -= 1
        closeIfDone()
      }
    },
    retire: () => {
      retired = true
      closeIfDone()
    },
    usedAt: clock.ticks(),
    refresh,
    heard: async () => (held ?? (await settle()))?.listed,
    known: async () => {
      const now = clock.ticks()
      const before = held ?? (await settle())
      if ((before === undefined || now >= before.renewAt) && now >= restUntil) {
        const renewed = renew()
        if (before === undefined) await renewed
      }
      return held?.listed
    },
    current: async () => {
      const now = clock.ticks()
      const before = held ?? (await settle())
      if (before === undefined || now >= before.until) await refresh()
      else if (now >= before.renewAt) void renew()
      return (held as Held).listed
    },
  }
}

/** Tools are read one after the other: the list of an upstream may be large. */
async function readAll(texts: string[]): Promise<UpstreamTool[]> {
  const tools: UpstreamTool[] = []
  for (const text of texts) {
    await yieldIfDue()
    tools.push(JSON.parse(text) as UpstreamTool)
  }
  return tools
}
