import type { Caller } from '../account/auth/caller.ts'
import { Notice, ProtocolError, Refusal } from '../errors.ts'
import { Code, type ObjectText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Outcome } from './catalogue.ts'

/** The three members that stand beside every result for a caller with a key, and that hosted assistants do not get. */
export function identityFor(caller: Caller): Record<string, string> {
  return caller.hosted ? {} : { api_version: '1.0', tenant_id: caller.accountId, project_id: caller.projectId }
}

/** The result of `tools/call`, as JSON text, of a tool that succeeded. */
export function toToolResult(caller: Caller, outcome: Outcome): ObjectText {
  if ('forwarded' in outcome) return outcome.forwarded
  const structured = JSON.stringify({ ...outcome, ...identityFor(caller) })
  return `{"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured},"isError":false}`
}

/** The result of `tools/call`, as JSON text, of a tool that refused. Throws the error again unless it is a Refusal or a Notice. */
export function toToolError(name: string, error: unknown): string {
  if (error instanceof Notice) return toErrorResult(error.message)
  if (error instanceof Refusal) return toErrorResult(`Error executing tool ${name}: ${error.message}`)
  throw error
}

/** The error that a caller may read. One that is no ProtocolError is logged under a new request id, and the caller is told that id alone. */
export function toProtocolError(service: Service, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  const requestId = service.random.uuid(service.clock.now())
  service.log('internal error', { request_id: requestId, error: error instanceof Error ? error.stack : String(error) })
  return new ProtocolError(Code.internalError, `Internal error (request ${requestId})`)
}

function toErrorResult(text: string): string {
  return JSON.stringify({ content: [{ type: 'text', text }], isError: true })
}
