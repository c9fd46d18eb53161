import type { Means } from '../account/means.ts'
import type { Integration } from '../store/integration.ts'
import { toFailure } from './failure.ts'
import { type Listed, toListed } from './listed.ts'
import { createUpstream, type Listing, type Upstream } from './upstream.ts'

/** One integration as it is held open: its upstream, and what is known of its tools. */
export type Line = {
  integration: Integration
  upstream: Upstream
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
  /** Closes the upstream once the calls on their way have ended. */
  retire: () => void
  /** When it was last of use, by the monotonic clock. */
  usedAt: number
}

type Held = { listed: Listed; text: string; until: number; renewAt: number }

/** How long a list holds, in milliseconds: as long as its upstream says, within bounds. */
const USUAL_TTL = 60_000
const SHORTEST_TTL = 5_000
const LONGEST_TTL = 24 * 60 * 60 * 1_000
/** How long an upstream that did not answer is left alone by mere lists. */
const REST = 10_000

export type LineMeans = Pick<Means, 'store' | 'clock' | 'config' | 'random' | 'outbound' | 'log'>

export function createLine(means: LineMeans, integration: Integration): Line {
  const { store, clock, log } = means
  const upstream = createUpstream(means, integration, () => void renew())
  let held: Held | undefined
  let loading: Promise<void> | undefined
  let refreshing: Promise<Listing> | undefined
  let restUntil = Number.NEGATIVE_INFINITY
  let inFlight = 0
  let retired = false

  function hold(listing: Pick<Listing, 'tools' | 'ttlMs'>, from: number): Held {
    const text = JSON.stringify(listing.tools)
    const ttl = Math.min(Math.max(listing.ttlMs ?? USUAL_TTL, SHORTEST_TTL), LONGEST_TTL)
    const listed = held?.text === text ? held.listed : toListed(integration, listing.tools)
    held = { listed, text, until: from + ttl, renewAt: from + ttl / 2 }
    return held
  }

  /** What was known when the service last ran; too old to be trusted with a call. */
  async function load(): Promise<void> {
    const list = await store.control.findToolList(integration.id)
    if (list !== undefined && held === undefined) hold({ tools: list.tools, ttlMs: 0 }, Number.NEGATIVE_INFINITY)
  }

  async function fetchList(): Promise<Listing> {
    try {
      const listing = await upstream.list()
      const before = held?.text
      if (hold(listing, clock.ticks()).text !== before) await keep(listing)
      return listing
    } catch (error) {
      restUntil = clock.ticks() + REST
      log('tools of an integration not renewed', { integration: integration.id, kind: toFailure(means, integration, error).kind })
      throw error
    } finally {
      refreshing = undefined
    }
  }

  /** Written only when something changed. */
  function keep({ tools, ttlMs }: Listing): Promise<void> {
    const list = { integrationId: integration.id, tools, ttlMs: ttlMs ?? USUAL_TTL, fetchedAt: clock.now() }
    return store.control.write((tx) => tx.saveToolList(list)).catch((error) => log('tool list not saved', { error: String(error) }))
  }

  function refresh(): Promise<Listing> {
    refreshing ??= fetchList()
    return refreshing
  }

  /** In the background; what goes wrong shows when somebody needs the answer. */
  async function renew(): Promise<void> {
    await refresh().catch(() => {})
  }

  function closeIfDone(): void {
    if (retired && inFlight === 0) void upstream.close()
  }

  async function settle(): Promise<Held | undefined> {
    loading ??= load()
    await loading
    return held
  }

  return {
    integration,
    upstream,
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
