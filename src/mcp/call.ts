import type { Caller } from '../account/caller.ts'
import { admit } from '../account/subscription.ts'
import { takeCall } from '../account/take-call.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject, type Params } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import { type Catalogue, findTool, type Outcome, type Tool } from './catalogue.ts'
import { toToolError, toToolResult } from './reply.ts'

/** Answers `tools/call`. Throws ProtocolError when there is no such tool for this caller. */
export async function callTool(service: Service, catalogue: Catalogue, caller: Caller, params: Params): Promise<string> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  if (!isObject(args)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  const tool = await findTool(catalogue, caller, name)
  if (tool === undefined) throw new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
  try {
    return toToolResult(caller, await act(service, tool, caller, args))
  } catch (error) {
    return toToolError(name, error)
  }
}

/** The order of checks is part of the contract. */
async function act(service: Service, tool: Tool, caller: Caller, args: Params): Promise<Outcome> {
  await takeCall(service, caller)
  await admit(service, caller, tool.access)
  tool.check(args)
  return tool.run({ service, caller, args })
}
