import { admit } from '../account/subscription.ts'
import { takeCall } from '../account/take-call.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject } from '../jsonrpc.ts'
import { findTool, type Outcome, type Tool } from './catalogue.ts'
import type { Asked } from './methods.ts'
import { toToolError, toToolResult } from './reply.ts'

/** Answers `tools/call`. Throws ProtocolError when there is no such tool for this caller. */
export async function callTool({ service, catalogue, caller, params, signal }: Asked): Promise<string> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  if (!isObject(args)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  const tool = await findTool(catalogue, caller, name)
  if (tool === undefined) throw new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
  try {
    return toToolResult(caller, await act(tool, { service, caller, args, signal }))
  } catch (error) {
    return toToolError(name, error)
  }
}

/** The order of checks is part of the contract. */
function act(tool: Tool, call: Parameters<Tool['run']>[0]): Promise<Outcome> {
  const { service, caller, args } = call
  takeCall(service, caller)
  admit(service, caller, tool.access)
  tool.check(args)
  return tool.run(call)
}
