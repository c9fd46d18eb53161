import type { IntegrationInput } from '../../src/gateway/integration.ts'
import { startService, type Wish } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

/** The `_meta` of every answer of another server that is passed on to a key. */
export const VERSION = { api_version: '1.0' }

export type IntegrationWish = Partial<IntegrationInput> & { url: string }

/** Starts a service that may call this machine, with integrations that are enabled for its project. */
export function startGateway(...wishes: IntegrationWish[]) {
  return startGatewayWith({}, ...wishes)
}

/** The same, with wishes for the service. */
export async function startGatewayWith(more: Wish, ...wishes: IntegrationWish[]) {
  const running = await startService(more)
  const { post, org } = running

  const connect = (wish: Partial<IntegrationInput> & { url: string }) =>
    org.connect({ slug: 'hub', name: 'Hub', ...wish })

  for (const wish of wishes) await connect(wish)

  /** The entries of integrations in `tools/list`, after the service's own five. */
  async function list(): Promise<Record<string, unknown>[]> {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const tools = body?.result?.tools ?? []
    return (tools as Record<string, unknown>[]).slice(5)
  }

  /** Calls a tool; returns the JSON-RPC result or error. */
  async function raw(name: string, args: Record<string, unknown> = {}) {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    return body?.result ?? body?.error
  }

  /** `list`, as soon as it has at least one entry. */
  async function listWhenKnown() {
    await waitUntil('a tool of an integration is known', async () => (await list()).length > 0)
    return list()
  }

  return { ...running, connect, list, listWhenKnown, raw }
}
