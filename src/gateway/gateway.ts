import type { Caller } from '../account/auth/caller.ts'
import { Refusal } from '../errors.ts'
import type { ObjectText, Params } from '../jsonrpc.ts'
import type { Integration } from '../store/integration.ts'
import { type Counter, createCallReceipts } from './call-receipts.ts'
import { forward } from './forward.ts'
import type { Listed } from './listed-tool.ts'
import { findSlug, type Style } from './name.ts'
import { createUpstreamClient, type UpstreamClient, type UpstreamContext } from './upstream-client.ts'

type Found = { slug: string; tool: string }

/** The tools of other servers, for the callers of the projects they are enabled for. */
export type Gateway = {
  /** What `tools/list` shows a caller, as JSON. Waits at most 40 ms for upstreams that were never heard of. */
  list: (caller: Caller) => Promise<string[]>
  /** The integration and the tool's own name behind a listed name, in either style. */
  find: (caller: Caller, name: string) => Promise<Found | undefined>
  /**
   * Calls a tool of an enabled integration and gives the result of `tools/call` as JSON. `signal` is aborted when nobody waits for it any more:
   * until then, a large one counts among those that are in memory at once. Throws a Refusal.
   */
  call: (caller: Caller, slug: string, tool: string, args: Params, signal: AbortSignal) => Promise<ObjectText>
  counters: () => Counter[]
  /** Writes the last receipts. */
  close: () => Promise<void>
}

const LIST_TIMEOUT_MS = 40
/** Most characters of the tools of integrations in one list; those of further integrations are left out. */
const MAX_LIST_CHARACTERS = 4_194_304
/** How long a connection that nobody uses stays warm, and how often that is looked at. */
const KEEP_WARM_MS = 15 * 60_000
const SWEEP_INTERVAL_MS = 60_000

export function createGateway(ctx: UpstreamContext): Gateway {
  const lines = new Map<string, UpstreamClient>()
  const receipts = createCallReceipts(ctx)
  let sweptAt = ctx.clock.ticks()

  /** One line an integration; another one when the integration was changed. */
  function lineOf(integration: Integration): UpstreamClient {
    const held = lines.get(integration.id)
    const line = held !== undefined && isSame(held.integration, integration) ? held : createUpstreamClient(ctx, integration)
    if (line !== held) held?.retire()
    line.usedAt = ctx.clock.ticks()
    lines.set(integration.id, line)
    return line
  }

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_INTERVAL_MS) return
    sweptAt = now
    for (const [id, line] of lines) {
      if (line.inFlight() > 0 || now - line.usedAt < KEEP_WARM_MS) continue
      lines.delete(id)
      line.retire()
    }
  }

  async function linesOf({ projectId }: Caller): Promise<UpstreamClient[]> {
    const enabled = (await ctx.store.control.listEnabledIntegrations(projectId)) ?? []
    sweep(ctx.clock.ticks())
    return enabled.map(lineOf)
  }

  async function findLine(caller: Caller, slug: string): Promise<UpstreamClient | undefined> {
    return (await linesOf(caller)).find(({ integration }) => integration.slug === slug)
  }

  return {
    list: async (caller) => listAll(await linesOf(caller), caller.toolNames),
    find: async (caller, name) => {
      const slug = findSlug(name)
      const line = slug === undefined ? undefined : await findLine(caller, slug)
      return line && findTool(line, name)
    },
    call: async (caller, slug, tool, args, signal) => {
      const line = await findLine(caller, slug)
      if (line === undefined) throw new Refusal(`no integration '${slug.slice(0, 64)}' is enabled for this project`)
      return forward({ ...ctx, receipts }, { caller, line, tool, args, signal })
    },
    counters: receipts.counters,
    close: receipts.flush,
  }
}

/** Where nothing was ever heard of an upstream, whether it has the tool is for the call to find out. */
async function findTool(line: UpstreamClient, name: string): Promise<Found | undefined> {
  const { slug } = line.integration
  const heard = await line.heard()
  const known = heard?.byName.get(name)
  if (known !== undefined) return { slug, tool: known.tool.name }
  try {
    const current = (await line.current()).byName.get(name)
    return current && { slug, tool: current.tool.name }
  } catch {
    return heard === undefined ? { slug, tool: name.slice(slug.length).replace(/^(\.|__)/, '') } : undefined
  }
}

async function listAll(lines: UpstreamClient[], style: Style): Promise<string[]> {
  const found = await Promise.all(lines.map((line) => atOnce(line)))
  const tools = found.map((listed) => listed?.shown[style].map(({ json }) => json) ?? [])
  let room = MAX_LIST_CHARACTERS
  return tools.flatMap((texts) => {
    const size = texts.reduce((sum, text) => sum + text.length, 0)
    if (size > room) return []
    room -= size
    return texts
  })
}

/** A list must not wait for an upstream. */
function atOnce(line: UpstreamClient): Promise<Listed | undefined> {
  return within(
    LIST_TIMEOUT_MS,
    line.known().catch(() => undefined),
  )
}

/** What comes of it within that many milliseconds. */
async function within<T>(milliseconds: number, coming: Promise<T>): Promise<T | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, milliseconds)
  try {
    return await Promise.race([coming, over])
  } finally {
    clearTimeout(timer)
  }
}

/** The store gives the same value as long as nothing changed. */
function isSame(a: Integration, b: Integration): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
