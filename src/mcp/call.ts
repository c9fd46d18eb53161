import type { Caller } from '../account/caller.ts'
import { admit } from '../account/subscription.ts'
import { takeCall } from '../account/take-call.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject } from '../jsonrpc.ts'
import { after, type Soon } from '../soon.ts'
import { findTool, type Outcome, type Tool } from './catalogue.ts'
import type { Asked } from './methods.ts'
import { toToolError, toToolResult } from './reply.ts'

/** Answers `tools/call`. Throws ProtocolError when there is no such tool for this caller. */
export function callTool({ service, catalogue, caller, params, signal }: Asked): Soon<string> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  if (!isObject(args)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  return after(findTool(catalogue, caller, name), (tool) => {
    if (tool === undefined) throw new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
    return toResult(name, caller, () => act(tool, { service, caller, args, signal }))
  })
}

/** What the act came to, or why it did not. */
function toResult(name: string, caller: Caller, acting: () => Soon<Outcome>): Soon<string> {
  try {
    const result = after(acting(), (outcome) => toToolResult(caller, outcome))
    return result instanceof Promise ? result.catch((error) => toToolError(name, error)) : result
  } catch (error) {
    return toToolError(name, error)
  }
}

/** The order of checks is part of the contract. */
function act(tool: Tool, call: Parameters<Tool['run']>[0]): Soon<Outcome> {
  const { service, caller, args } = call
  takeCall(service, caller)
  admit(service, caller, tool.access)
  tool.check(args)
  return tool.run(call)
}
