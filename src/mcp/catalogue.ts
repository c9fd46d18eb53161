import type { Caller } from '../account/auth/caller.ts'
import type { ToolAccess } from '../account/subscription/subscription.ts'
import type { ObjectText, Params } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import { after, type Soon } from '../soon.ts'

/** What a tool came to: a value of ours, or the answer of another server's tool: the whole result of `tools/call`, as JSON. */
export type Outcome = { result: unknown; hint?: unknown } | { forwarded: ObjectText }

/** A tool as the dispatcher sees it. */
export type Tool = {
  name: string
  access: ToolAccess
  /** The JSON of its entry in `tools/list`, as a keyed caller and as a hosted one sees it. */
  listed: { keyed: string; hosted: string }
  /** Throws a Refusal that names the argument. */
  check: (args: Params) => void
  /** Acts on checked arguments; throws Refusal or Notice. `signal()` is aborted when nobody waits for the answer any more. */
  run: (call: { service: Service; caller: Caller; args: Params; signal: () => AbortSignal }) => Soon<Outcome>
}

/** Tools that depend on who asks. Never asked for a hosted caller. */
export type Integrations = {
  /** Their entries in the list, as JSON, in its order; never throws because an upstream is down. */
  list: (caller: Caller) => Soon<string[]>
  find: (caller: Caller, name: string) => Soon<Tool | undefined>
}

/** Every tool there is. */
export type Catalogue = { tools: ReadonlyMap<string, Tool>; listed: { keyed: string; hosted: string }; integrations: Integrations }

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

/** The tool of that name that this caller may call, if there is one. */
export function findTool({ tools, integrations }: Catalogue, caller: Caller, name: string): Soon<Tool | undefined> {
  const tool = tools.get(name)
  if (tool !== undefined) return caller.hosted && !isHosted(tool) ? undefined : tool
  return caller.hosted ? undefined : integrations.find(caller, name)
}

/** The elements of `tools/list` for this caller, as JSON text without the brackets. */
export function listTools({ listed, integrations }: Catalogue, caller: Caller): Soon<string> {
  if (caller.hosted) return listed.hosted
  return after(integrations.list(caller), (others) => (others.length === 0 ? listed.keyed : [listed.keyed, ...others].join()))
}

/** Hosted assistants get the memory tools only. */
function isHosted(tool: Tool): boolean {
  return tool.access !== 'gateway'
}
