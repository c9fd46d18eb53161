import { consumeCall } from '../account/limits/consume-call.ts'
import { requireActiveSubscription } from '../account/subscription/subscription.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject, type Params, type ResultText } from '../jsonrpc.ts'
import { findTool } from './catalogue.ts'
import { toToolError, toToolResult } from './reply.ts'
import type { McpRequest } from './request.ts'

/**
 * Answers `tools/call`. The order of the checks is part of the contract: the tool exists for this caller, the rate limits of its key and
 * project, the subscription, the arguments, the number of calls at work. Throws ProtocolError for an unknown tool or malformed params; every
 * later refusal is a tool result with `isError: true`. A call that is refused after the rate limits has been counted by them.
 */
export async function callTool({ service, catalogue, caller, params, signal }: McpRequest): Promise<ResultText> {
  const { name, args } = parseParams(params)
  const tool = await findTool(catalogue, caller, name)
  if (tool === undefined) throw new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
  try {
    consumeCall(service, caller)
    requireActiveSubscription(service, caller, tool.access)
    const given = tool.readArguments(args)
    const calls = tool.access === 'gateway' ? service.forwardedCalls : service.memoryCalls
    const outcome = await calls.run(caller.keyId, () => tool.run({ service, caller, args: given, signal }), signal)
    return toToolResult(caller, outcome)
  } catch (error) {
    return toToolError(caller, name, error)
  }
}

/** Throws ProtocolError. */
function parseParams({ name, arguments: args = {} }: Params): { name: string; args: Params } {
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  if (!isObject(args)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  return { name, args }
}
