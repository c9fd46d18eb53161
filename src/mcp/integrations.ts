import type { Gateway } from '../gateway/gateway.ts'
import type { Integrations, Tool } from './catalogue.ts'

/** The gateway's tools, as the dispatcher sees them. */
export function toIntegrations(gateway: Gateway): Integrations {
  return {
    list: gateway.list,
    find: async (caller, name) => {
      const found = await gateway.find(caller, name)
      return found && toTool(gateway, name, found)
    },
  }
}

/** What the arguments must be is for the upstream to say. */
function toTool(gateway: Gateway, name: string, { slug, tool }: { slug: string; tool: string }): Tool {
  return {
    name,
    access: 'gateway',
    listed: { keyed: '', hosted: '' },
    check: () => {},
    run: async ({ caller, args, signal }) => ({ forwarded: await gateway.call(caller, slug, tool, args, signal()) }),
  }
}
