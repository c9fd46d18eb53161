import type { AppContext } from '../account/context.ts'
import type { Params } from '../jsonrpc.ts'
import type { Integration, UnpickedTool, UpstreamTool } from '../store/integration.ts'
import { decryptHeaders } from './credentials.ts'
import { toFailure } from './failure.ts'
import { type ListedTools, parseTools, toListedTools } from './listed-tool.ts'
import { toMarkField } from './mark-field.ts'
import type { ListResult, UpstreamTarget } from './messages.ts'
import type { CallWatch } from './progress.ts'
import { findToolChanges } from './tool-changes.ts'
import type { CallOutcome, UpstreamWorker } from './upstream-worker.ts'

/** A list of tools as an upstream just sent it: all of them parsed, and those that are offered. */
export type ToolListing = Omit<ListResult, 'tools'> & { tools: UpstreamTool[]; listed: ListedTools }

/** What is known of one stored version of an integration: how to reach its upstream, and the cached list of its tools. */
export type UpstreamClient = {
  integration: Integration
  /** The connection that lists tools; calls run in sessions of their own. */
  connectionId: number
  /** Asks for the list again, in the background. */
  onListChanged: () => void
  /** Throws what `toFailure` understands. */
  call: (connectionId: number, tool: UpstreamTool, args: Params, watch: CallWatch) => Promise<CallOutcome>
  /** The list last received, by this process or an earlier one, however old; undefined when there was none yet. */
  cachedTools: () => Promise<ListedTools | undefined>
  /** Like `cachedTools`, but refreshes an old list in the background, and waits for the upstream where there was no list yet. */
  toolsForListing: () => Promise<ListedTools | undefined>
  /** The list while it is valid, else a new one. Throws what the upstream's failure throws. */
  currentTools: () => Promise<ListedTools>
  /** Asks the upstream for its tools and caches them. Concurrent callers share one request. */
  refresh: () => Promise<ToolListing>
  callsInFlight: () => number
  /** Runs a call and counts it as in flight meanwhile. */
  track: <T>(call: () => Promise<T>) => Promise<T>
  /** Says that the client is not used any more, and closes its connection once no call is in flight. */
  retire: () => void
  isRetired: () => boolean
  /** By the monotonic clock, in milliseconds. */
  lastUsedAt: number
}

/** `json` tells whether a new list differs, in tools that are offered or not. Times by the monotonic clock, in milliseconds. */
type CachedList = { tools: ListedTools; json: string; expiresAt: number; refreshAt: number }

/** How long a list is valid: as long as its upstream says, within bounds. Past half of that it is refreshed in the background. */
const DEFAULT_TTL_MS = 60_000
const MIN_TTL_MS = 5_000
const MAX_TTL_MS = 24 * 60 * 60 * 1_000
/** How long `tools/list` does not ask an upstream again after a failure. */
const RETRY_PAUSE_MS = 10_000
/** The shortest time between two notifications of a changed list, of all sessions together, that are acted on. */
const LIST_CHANGED_INTERVAL_MS = 5_000

export type UpstreamContext = AppContext & { upstreams: UpstreamWorker }

const toJson = (tools: string, unpicked: UnpickedTool[]): string => `${tools}${JSON.stringify(unpicked)}`

export function createUpstreamClient(ctx: UpstreamContext, integration: Integration): UpstreamClient {
  const { store, clock, log, upstreams } = ctx
  const onListChanged = () => {
    if (performance.now() - changedAt < LIST_CHANGED_INTERVAL_MS) return
    changedAt = performance.now()
    void refreshInBackground()
  }
  const connectionId = upstreams.register(onListChanged)
  let target: UpstreamTarget | undefined
  let cached: CachedList | undefined
  let loading: Promise<void> | undefined
  let refreshing: Promise<ToolListing> | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  let inFlight = 0
  let changedAt = Number.NEGATIVE_INFINITY
  let isRetired = false

  /** Throws a Refusal when the credential cannot be decrypted. */
  function requireTarget(): UpstreamTarget {
    const { accountId, url, timeoutMs, maxBytes, tools: picked } = integration
    target ??= { connectionId, accountId, url, timeoutMs, maxBytes, picked, headers: decryptHeaders(ctx, integration) }
    return target
  }

  function setCached(tools: ListedTools, json: string, ttlMs: number | undefined, receivedAt: number): void {
    const ttl = Math.min(Math.max(ttlMs ?? DEFAULT_TTL_MS, MIN_TTL_MS), MAX_TTL_MS)
    cached = { tools, json, expiresAt: receivedAt + ttl, refreshAt: receivedAt + ttl / 2 }
  }

  /** Caches the stored list of an earlier process, as one that has expired: a call needs a newer one. */
  async function loadStored(): Promise<void> {
    const stored = await store.control.findToolList(integration.id)
    if (stored === undefined) return
    // The list may be from before a tool was taken off the allow-list.
    const tools = stored.tools.filter(({ name }) => integration.tools?.includes(name) ?? true)
    const listed = await toListedTools(integration, tools, stored.accepted)
    // Its server may have been asked meanwhile.
    if (cached === undefined) setCached(listed, toJson(JSON.stringify(tools), stored.unpicked), 0, Number.NEGATIVE_INFINITY)
  }

  async function fetchList(): Promise<ToolListing> {
    try {
      const result = await upstreams.list({ kind: 'list', target: requireTarget() })
      const tools = await parseTools(result.tools)
      const json = toJson(`[${result.tools.join()}]`, result.unpicked)
      const listed = cached?.json === json ? cached.tools : await saveList(tools, result.unpicked, result.ttlMs)
      setCached(listed, json, result.ttlMs, clock.ticks())
      return { ...result, tools, listed }
    } catch (error) {
      pausedUntil = clock.ticks() + RETRY_PAUSE_MS
      log('tools of an integration not renewed', { integration: integration.id, kind: toFailure(error).kind })
      throw error
    }
  }

  /** Saves a new list, and returns what is offered of it: what was accepted, which of the first list is all. */
  async function saveList(tools: UpstreamTool[], unpicked: UnpickedTool[], ttlMs = DEFAULT_TTL_MS): Promise<ListedTools> {
    const stored = await store.control.findToolList(integration.id)
    const accepted = stored?.accepted ?? tools
    const withheld = (await findToolChanges(tools, accepted)).length
    if (withheld > 0) log('tools of an integration withheld until they are accepted', { integration: integration.id, tools: withheld })
    const list = { integrationId: integration.id, tools, accepted, withheld, unpicked, ttlMs, fetchedAt: clock.now() }
    await store.control.write((tx) => tx.saveToolList(list)).catch((error) => log('tool list not saved', { error: String(error) }))
    return toListedTools(integration, tools, accepted)
  }

  function refresh(): Promise<ToolListing> {
    refreshing ??= fetchList().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  /** A failure has been logged, and shows again when somebody needs the list. */
  async function refreshInBackground(): Promise<void> {
    await refresh().catch(() => {})
  }

  async function findCached(): Promise<CachedList | undefined> {
    if (cached !== undefined) return cached
    loading ??= loadStored()
    await loading
    return cached
  }

  async function requireCurrent(): Promise<ListedTools> {
    const now = clock.ticks()
    const before = await findCached()
    if (before !== undefined && now < before.expiresAt) {
      if (now >= before.refreshAt) void refreshInBackground()
      return before.tools
    }
    return (await refresh()).listed
  }

  function disconnectIfIdle(): void {
    if (isRetired && inFlight === 0) upstreams.unregister(connectionId)
  }

  return {
    integration,
    connectionId,
    onListChanged,
    call: async (session, tool, args, { signal, onProgress }) => {
      const schema = tool.mirrored ? JSON.stringify(tool.inputSchema) : undefined
      const target = { ...requireTarget(), connectionId: session }
      const request = {
        kind: 'call' as const,
        target,
        tool: tool.name,
        args: JSON.stringify(args),
        schema,
        markField: toMarkField(tool.outputSchema),
      }
      return upstreams.call({ ...request, reportsProgress: onProgress !== undefined }, signal, onProgress)
    },
    cachedTools: async () => (await findCached())?.tools,
    toolsForListing: async () => {
      const now = clock.ticks()
      const before = await findCached()
      if ((before === undefined || now >= before.refreshAt) && now >= pausedUntil) {
        const refreshed = refreshInBackground()
        if (before === undefined) await refreshed
      }
      return cached?.tools
    },
    currentTools: requireCurrent,
    refresh,
    callsInFlight: () => inFlight,
    track: async (call) => {
      inFlight += 1
      try {
        return await call()
      } finally {
        inFlight -= 1
        disconnectIfIdle()
      }
    },
    retire: () => {
      isRetired = true
      disconnectIfIdle()
    },
    isRetired: () => isRetired,
    lastUsedAt: clock.ticks(),
  }
}
