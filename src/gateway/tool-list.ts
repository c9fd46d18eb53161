import type { AppContext } from '../account/context.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Integration, ToolList as StoredToolList, UnpickedTool, UpstreamTool } from '../store/integration.ts'
import { type ListedTools, toListedTools } from './listed-tool.ts'
import { type ListResult, toFailure } from './messages.ts'
import { findToolChanges } from './tool-changes.ts'

/** A list of tools as an upstream just sent it: all of them parsed, and those that are offered. */
type ToolListing = Omit<ListResult, 'tools'> & { tools: UpstreamTool[]; listed: ListedTools }

/** The tools of one integration: the list last received, and when its upstream is asked again. */
export type ToolList = {
  /** The list last received, by this process or an earlier one, however old; undefined if there was none yet. */
  cached: () => Promise<ListedTools | undefined>
  /** As `cached`, but refreshes an old list in the background, and waits for the upstream if there was no list yet. */
  forListing: () => Promise<ListedTools | undefined>
  /** The list while it is valid, otherwise a new one. Rejects with the upstream's failure. */
  current: () => Promise<ListedTools>
  /**
   * Asks the upstream for its tools and caches them. Concurrent callers share one request. Rejects with the upstream's
   * failure.
   */
  refresh: () => Promise<ToolListing>
  /** Refreshes the list in the background, because the upstream has notified that it changed. */
  noteChange: () => void
}

/**
 * `json` tells whether a new list differs, in tools that are offered or not. Times are of the monotonic clock, in
 * milliseconds.
 */
type CachedList = { tools: ListedTools; json: string; expiresAt: number; refreshAt: number }

/**
 * How long a list is valid: as long as its upstream says, within bounds. After half of that it is refreshed in the
 * background.
 */
const DEFAULT_TTL_MS = 60_000
const MIN_TTL_MS = 5_000
const MAX_TTL_MS = 24 * 60 * 60 * 1_000
/** How long `tools/list` does not ask an upstream again after a failure. */
const RETRY_PAUSE_MS = 10_000
/** Minimum time between two notifications of a changed list, of all sessions together, that are acted on. */
const LIST_CHANGED_INTERVAL_MS = 5_000

const toJson = (tools: string, unpicked: UnpickedTool[]): string => `${tools}${JSON.stringify(unpicked)}`

/** `fetch` asks the upstream for its tools. */
export function createToolList(
  { store, clock, log }: Pick<AppContext, 'store' | 'clock' | 'log'>,
  integration: Integration,
  fetch: () => Promise<ListResult>,
): ToolList {
  let cached: CachedList | undefined
  let loading: Promise<void> | undefined
  let refreshing: Promise<ToolListing> | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  let changedAt = Number.NEGATIVE_INFINITY

  function setCached(tools: ListedTools, json: string, ttlMs: number | undefined, receivedAt: number): void {
    const ttl = Math.min(Math.max(ttlMs ?? DEFAULT_TTL_MS, MIN_TTL_MS), MAX_TTL_MS)
    cached = { tools, json, expiresAt: receivedAt + ttl, refreshAt: receivedAt + ttl / 2 }
  }

  /** Caches the list that an earlier process stored as expired, so that a call asks for a new one. */
  async function loadStored(): Promise<void> {
    const stored = await store.control.find('toolLists', { integrationId: integration.id })
    if (stored === undefined) return
    // The list may be from before a tool was taken off the allow-list.
    const tools = stored.tools.filter(({ name }) => integration.tools?.includes(name) ?? true)
    const listed = await toListedTools(integration, tools, stored.accepted)
    // Its server may have been asked meanwhile.
    if (cached === undefined)
      setCached(listed, toJson(JSON.stringify(tools), stored.unpicked), 0, Number.NEGATIVE_INFINITY)
  }

  async function fetchList(): Promise<ToolListing> {
    try {
      const result = await fetch()
      const tools = result.tools.map((text) => JSON.parse(text) as UpstreamTool)
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

  /**
   * Saves a new list, and returns the tools of it that are offered: the accepted ones, which are all of the first list.
   */
  async function saveList(
    tools: UpstreamTool[],
    unpicked: UnpickedTool[],
    ttlMs = DEFAULT_TTL_MS,
  ): Promise<ListedTools> {
    const stored = await store.control.find('toolLists', { integrationId: integration.id })
    const accepted = stored?.accepted ?? tools
    const withheld = findToolChanges(tools, accepted).length
    if (withheld > 0)
      log('tools of an integration withheld until they are accepted', { integration: integration.id, tools: withheld })
    const list = { integrationId: integration.id, tools, accepted, withheld, unpicked, ttlMs, fetchedAt: clock.now() }
    await store.control
      .write((tx) => saveToolList(tx, list))
      .catch((error) => log('tool list not saved', { error: String(error) }))
    return toListedTools(integration, tools, accepted)
  }

  function refresh(): Promise<ToolListing> {
    refreshing ??= fetchList().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  /** Ignores a failure, which has been logged and occurs again when somebody needs the list. */
  async function refreshInBackground(): Promise<void> {
    await refresh().catch(() => {})
  }

  async function findCached(): Promise<CachedList | undefined> {
    if (cached !== undefined) return cached
    loading ??= loadStored().catch((error) => {
      // The next caller tries again.
      loading = undefined
      throw error
    })
    await loading
    return cached
  }

  return {
    cached: async () => (await findCached())?.tools,
    forListing: async () => {
      const now = clock.ticks()
      const before = await findCached()
      if ((before === undefined || now >= before.refreshAt) && now >= pausedUntil) {
        const refreshed = refreshInBackground()
        if (before === undefined) await refreshed
      }
      return cached?.tools
    },
    current: async () => {
      const now = clock.ticks()
      const before = await findCached()
      if (before === undefined || now >= before.expiresAt) return (await refresh()).listed
      if (now >= before.refreshAt) void refreshInBackground()
      return before.tools
    },
    refresh,
    noteChange: () => {
      if (performance.now() - changedAt < LIST_CHANGED_INTERVAL_MS) return
      changedAt = performance.now()
      void refreshInBackground()
    },
  }
}

/**
 * Saves or replaces the list of tools of an integration, except what was accepted, unless the integration was removed
 * meanwhile.
 */
export async function saveToolList(tx: ControlWrites, list: StoredToolList): Promise<void> {
  if ((await tx.find('integrations', { id: list.integrationId })) !== undefined)
    await tx.save('toolLists', list, ['accepted'])
}
