import type { Caller } from '../account/auth/caller.ts'
import { countCall } from '../account/usage/count-calls.ts'
import { beforeTimeout } from '../clock.ts'
import { CountedRefusal } from '../errors.ts'
import { hasUnsafeInteger, type Params, type ResultText } from '../jsonrpc.ts'
import type { Integration } from '../store/integration.ts'
import { createCallReceipts } from './call-receipts.ts'
import { callUpstreamTool } from './call-tool.ts'
import { findSlug, type ListedTools, type NameStyle, withoutSlug } from './listed-tool.ts'
import { toFailure } from './messages.ts'
import type { CallWatch } from './progress.ts'
import { createSessions } from './sessions.ts'
import { toToolLines } from './tool-lines.ts'
import { createUpstreamClient, type UpstreamClient, type UpstreamContext } from './upstream-client.ts'

/** An integration's slug and its upstream's name of a tool. */
type ToolRef = { slug: string; tool: string }

/** The tools of other servers, for the callers of the projects that they are enabled for. */
export type Gateway = {
  /**
   * Their entries in `tools/list` as JSON. Waits at most 40 ms, and only for upstreams whose tools were never listed
   * before.
   */
  list: (caller: Caller) => Promise<string[]>
  /** The tool behind a listed name of either style. */
  find: (caller: Caller, name: string) => Promise<ToolRef | undefined>
  /**
   * Calls a tool of an enabled integration; without a tool, lists those that can be called. Returns the result of
   * `tools/call`; a large one takes memory until the signal is aborted, which also cancels the call. Throws a Refusal.
   */
  call: (caller: Caller, slug: string, tool: string | undefined, args: Params, watch: CallWatch) => Promise<ResultText>
  /** Closes sessions and connections that were not used for 15 minutes; called every minute. */
  closeIdle: () => void
  /** Writes the last receipts. */
  close: () => Promise<void>
}

const LIST_TIMEOUT_MS = 40
/**
 * Maximum size of the integrations' tools in one list, in characters; integrations that would exceed it are omitted.
 */
const MAX_LIST_CHARACTERS = 4_194_304
const MAX_SLUG_CHARACTERS = 64
/** How long the connection of an unused client stays open, and how often that and the sessions are checked. */
const IDLE_MS = 15 * 60_000
const SWEEP_INTERVAL_MS = 60_000

export function createGateway(ctx: UpstreamContext): Gateway {
  const clients = new Map<string, UpstreamClient>()
  const receipts = createCallReceipts(ctx)
  const sessions = createSessions(ctx)
  const sweeper = setInterval(closeIdle, SWEEP_INTERVAL_MS)
  sweeper.unref()

  /** One client for each integration, and a new one once the integration has changed. */
  function clientFor(integration: Integration): UpstreamClient {
    const known = clients.get(integration.id)
    const client =
      known !== undefined && isSame(known.integration, integration) ? known : createUpstreamClient(ctx, integration)
    if (client !== known && known !== undefined) retire(known)
    client.lastUsedAt = ctx.clock.ticks()
    clients.set(integration.id, client)
    return client
  }

  function retire(client: UpstreamClient): void {
    client.retire()
    sessions.closeRetired()
  }

  function closeIdle(): void {
    sessions.closeIdle()
    for (const [id, client] of clients) {
      if (client.callsInFlight() > 0 || ctx.clock.ticks() - client.lastUsedAt < IDLE_MS) continue
      clients.delete(id)
      retire(client)
    }
  }

  async function clientsOf({ projectId }: Caller): Promise<UpstreamClient[]> {
    const enabled = await ctx.store.control.listEnabledIntegrations(projectId)
    return enabled.map(clientFor)
  }

  async function findClient(caller: Caller, slug: string): Promise<UpstreamClient | undefined> {
    return (await clientsOf(caller)).find(({ integration }) => integration.slug === slug)
  }

  return {
    list: async (caller) => listTools(await clientsOf(caller), caller.toolNames),
    find: async (caller, name) => {
      const slug = findSlug(name)
      const client = slug === undefined ? undefined : await findClient(caller, slug)
      return client && findTool(client, name)
    },
    call: async (caller, slug, tool, args, watch) => {
      const client = await findClient(caller, slug)
      if (client === undefined)
        throw new CountedRefusal(
          'not_found',
          `no integration '${slug.slice(0, MAX_SLUG_CHARACTERS)}' is enabled for this project`,
          'integration',
          toEnabledAdvice(await clientsOf(caller)),
        )
      if (tool === undefined) return listCallable(ctx, caller, client)
      requireExact(args)
      return callUpstreamTool({ ...ctx, receipts, sessions }, { caller, client, tool, args, watch })
    },
    closeIdle,
    close: async () => {
      clearInterval(sweeper)
      await receipts.flush()
    },
  }
}

/** @throws Refusal for arguments with an integer that lost digits when the message was parsed. */
function requireExact(args: Params): void {
  if (hasUnsafeInteger(args))
    throw new CountedRefusal(
      'arguments',
      'arguments contain an integer beyond ±(2^53 - 1), which would reach the server with other digits; send it as a string',
    )
}

/** A tool result with the tools of an integration, one a line. Counted as a call of `gateway_call`, since no other is. */
async function listCallable(
  ctx: UpstreamContext,
  caller: Caller,
  { integration, tools }: UpstreamClient,
): Promise<ResultText> {
  const startedAt = ctx.clock.ticks()
  const count = (outcome: 'ok' | 'failed', reason: string) =>
    countCall(ctx, caller, { tool: 'gateway_call', outcome, milliseconds: ctx.clock.ticks() - startedAt, reason })
  const listed = await tools.current().catch((error) => {
    const { kind, text } = toFailure(error)
    count('failed', `integration.${kind}`)
    throw new CountedRefusal('integration', `integration '${integration.slug}' failed (${kind}): ${text}`)
  })
  count('ok', 'done')
  return {
    text: JSON.stringify({ content: [{ type: 'text', text: toToolLines(integration, listed) }], isError: false }),
  }
}

function toEnabledAdvice(clients: UpstreamClient[]): string {
  const slugs = clients.map(({ integration }) => `'${integration.slug}'`)
  return slugs.length === 0
    ? 'None is enabled; an owner or admin enables them in the console.'
    : `Enabled are ${slugs.join(', ')}.`
}

async function findTool(client: UpstreamClient, name: string): Promise<ToolRef | undefined> {
  const { slug } = client.integration
  const cached = await client.tools.cached()
  const known = cached?.byName.get(name)
  if (known !== undefined) return { slug, tool: known.tool.name }
  try {
    const current = (await client.tools.current()).byName.get(name)
    return current && { slug, tool: current.tool.name }
  } catch {
    // If the upstream has never listed its tools, the call itself finds out whether the tool exists.
    return cached === undefined ? { slug, tool: withoutSlug(name, slug) } : undefined
  }
}

async function listTools(clients: UpstreamClient[], style: NameStyle): Promise<string[]> {
  const lists = await Promise.all(clients.map(toolsInTime))
  let left = MAX_LIST_CHARACTERS
  return lists.flatMap((tools) => {
    const entries = tools?.shown[style].map(({ json }) => json) ?? []
    const characters = entries.reduce((sum, json) => sum + json.length, 0)
    if (characters > left) return []
    left -= characters
    return entries
  })
}

/** The tools of an upstream if they are known within the time that a list may take. */
function toolsInTime({ tools }: UpstreamClient): Promise<ListedTools | undefined> {
  return beforeTimeout(
    LIST_TIMEOUT_MS,
    tools.forListing().catch(() => undefined),
  )
}

/** The store returns the same object while nothing changed. */
function isSame(a: Integration, b: Integration): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
