import type { Caller } from '../account/auth/caller.ts'
import { consumeCall } from '../account/limits/consume-call.ts'
import { requireActiveSubscription } from '../account/subscription/subscription.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject, type ObjectText } from '../jsonrpc.ts'
import type { Soon } from '../soon.ts'
import { findTool, type Outcome, type Tool } from './catalogue.ts'
import type { MethodCall } from './methods.ts'
import { toToolError, toToolResult } from './reply.ts'

/** Answers `tools/call`. Throws ProtocolError when there is no such tool for this caller. */
export function callTool({ service, catalogue, caller, params, signal }: MethodCall): Soon<ObjectText> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  if (!isObject(args)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  const tool = findTool(catalogue, caller, name)
  const call = { service, caller, args, signal }
  return tool instanceof Promise ? callLater(tool, name, call) : callFound(tool, name, call)
}

type Call = Parameters<Tool['run']>[0]

async function callLater(coming: Promise<Tool | undefined>, name: string, call: Call): Promise<ObjectText> {
  return callFound(await coming, name, call)
}

/** What the act came to, or why it did not. */
function callFound(tool: Tool | undefined, name: string, call: Call): Soon<ObjectText> {
  if (tool === undefined) throw new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
  try {
    const outcome = act(tool, call)
    return outcome instanceof Promise ? finish(outcome, name, call.caller) : toToolResult(call.caller, outcome)
  } catch (error) {
    return toToolError(name, error)
  }
}

async function finish(coming: Promise<Outcome>, name: string, caller: Caller): Promise<ObjectText> {
  try {
    return toToolResult(caller, await coming)
  } catch (error) {
    return toToolError(name, error)
  }
}

/** The order of checks is part of the contract. A call that waits for its turn, or is refused one, has taken its place in the windows. */
function act(tool: Tool, call: Call): Soon<Outcome> {
  const { service, caller, args } = call
  consumeCall(service, caller)
  requireActiveSubscription(service, caller, tool.access)
  tool.check(args)
  const calls = tool.access === 'gateway' ? service.forwardedCalls : service.memoryCalls
  return calls.run(caller.keyId, () => tool.run(call), call.signal)
}
