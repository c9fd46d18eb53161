import type { Caller } from '../account/auth/caller.ts'
import type { ToolAccess } from '../account/subscription/subscription.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { OnProgress } from '../gateway/progress.ts'
import type { Params, ResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'

/** What a tool returned: a value with its optional siblings, or the JSON of another server's result. */
export type Outcome = { result: unknown; more?: true; next_offset?: number; hint?: unknown } | { forwarded: ResultText }

/**
 * What a tool gets in addition to its checked arguments. `signal()` is aborted when the client disconnects or cancels
 * the call; `onProgress` receives the progress of another server's tool.
 */
export type ToolCall = {
  service: Service
  caller: Caller
  /**
   * Whether the result is for a session that did not ask, so that nothing may stand in it that reads like an
   * instruction.
   */
  isUnasked: boolean
  signal: () => AbortSignal
  onProgress?: OnProgress | undefined
}

/** A tool as `tools/list` and `tools/call` see it. */
export type Tool = {
  name: string
  access: ToolAccess
  /** The JSON of its entry in `tools/list`, for callers with a key and for hosted assistants. */
  listed: { keyed: string; hosted: string }
  /**
   * Checks the arguments and removes those that are null, which means omitted. Throws a Refusal that names the wrong
   * argument.
   */
  readArguments: (args: Params) => Params
  /** Runs the tool. Throws Refusal or Notice. */
  run: (call: ToolCall & { args: Params }) => Promise<Outcome>
}

/** Tools of other servers. They differ from project to project, and hosted assistants have none. */
export type Integrations = {
  /** The JSON of their entries in `tools/list`, in order. Never throws, even if another server is down. */
  list: (caller: Caller) => Promise<string[]>
  find: (caller: Caller, name: string) => Promise<Tool | undefined>
}

/** The service's own tools by name, the JSON of their entries in `tools/list`, and the tools of other servers. */
export type Catalogue = {
  tools: ReadonlyMap<string, Tool>
  listed: { keyed: string; hosted: string }
  integrations: Integrations
}

export function createCatalogue(tools: Tool[], integrations: Integrations): Catalogue {
  const listed = {
    keyed: tools.map((tool) => tool.listed.keyed).join(),
    hosted: tools
      .filter((tool) => isHosted(tool))
      .map((tool) => tool.listed.hosted)
      .join(),
  }
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), listed, integrations }
}

/** The tool of that name if this caller may call it. */
export async function findTool(
  { tools, integrations }: Catalogue,
  caller: Caller,
  name: string,
): Promise<Tool | undefined> {
  const tool = tools.get(name)
  if (tool !== undefined) return caller.hosted && !isHosted(tool) ? undefined : tool
  return caller.hosted ? undefined : integrations.find(caller, name)
}

/** The elements of `tools/list` for this caller: JSON separated by commas, without the brackets. */
export async function listTools({ listed, integrations }: Catalogue, caller: Caller): Promise<string> {
  if (caller.hosted) return listed.hosted
  return [listed.keyed, ...(await integrations.list(caller))].join()
}

/** How many entries `tools/list` has for a caller with a key. */
export async function countTools({ tools, integrations }: Catalogue, caller: Caller): Promise<number> {
  return tools.size + (await integrations.list(caller)).length
}

/** Hosted assistants have the memory tools only. */
function isHosted(tool: Tool): boolean {
  return tool.access !== 'gateway'
}

/** The gateway's tools for a catalogue. Their arguments are for the other server to check. */
export function toIntegrations(gateway: Gateway): Integrations {
  return {
    list: gateway.list,
    find: async (caller, name) => {
      const found = await gateway.find(caller, name)
      return found && toTool(gateway, name, found)
    },
  }
}

function toTool(gateway: Gateway, name: string, { slug, tool }: { slug: string; tool: string }): Tool {
  return {
    name,
    access: 'gateway',
    listed: { keyed: '', hosted: '' },
    readArguments: (args) => args,
    run: async ({ caller, args, signal, onProgress }) => ({
      forwarded: await gateway.call(caller, slug, tool, args, { signal: signal(), onProgress }),
    }),
  }
}
