import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { addIntegration, enableIntegration, type Wish } from '../../src/gateway/integration.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

/** A service that may call this machine, with integrations that are enabled for its project. */
export async function startGateway(...wishes: (Partial<Wish> & { url: string })[]) {
  const running = await startService({ config: { outboundAllow: ['127.0.0.1'] } })
  const { service, account, project, post } = running

  async function connect(wish: Partial<Wish> & { url: string }) {
    const integration = await addIntegration(service, account, { slug: 'hub', name: 'Hub', ...wish }, COMMAND_LINE)
    await enableIntegration(service, integration, project, COMMAND_LINE)
    return integration
  }

  for (const wish of wishes) await connect(wish)

  /** The tools of integrations. */
  async function list(): Promise<Record<string, unknown>[]> {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const tools = body?.result?.tools ?? []
    return (tools as Record<string, unknown>[]).slice(5)
  }

  /** The whole answer of a tool call. */
  async function raw(name: string, args: Record<string, unknown> = {}) {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    return body?.result ?? body?.error
  }

  /** The same, once something is known. */
  async function listWhenKnown() {
    await waitUntil('a tool of an integration is known', async () => (await list()).length > 0)
    return list()
  }

  return { ...running, connect, list, listWhenKnown, raw }
}
