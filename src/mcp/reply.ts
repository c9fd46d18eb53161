import type { Caller } from '../account/auth/caller.ts'
import { DamagedProject, Notice, ProtocolError, Refusal, StorageDown, Unauthorized } from '../errors.ts'
import { Code, type ResultText } from '../jsonrpc.ts'
import { currentRequestId } from '../log/request.ts'
import type { Service } from '../service.ts'
import type { Outcome } from './catalogue.ts'

/** The version of the tools' interface, which every result for a caller with a key carries. */
const VERSION = { api_version: '1.0' }

/** The three members that are added to every result for a caller with a key, and that hosted assistants do not get. */
export function identityFor(caller: Caller): Record<string, string> {
  return caller.hosted ? {} : { ...VERSION, tenant_id: caller.accountId, project_id: caller.projectId }
}

/**
 * The result of `tools/call` of a tool that succeeded. One of another server is passed on; it carries the version in
 * its `_meta`.
 */
export function toToolResult(caller: Caller, outcome: Outcome): ResultText {
  if ('forwarded' in outcome) return withVersion(caller, outcome.forwarded)
  const structured = JSON.stringify({ ...outcome, ...identityFor(caller) })
  return {
    text: `{"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured},"isError":false}`,
  }
}

/** The result of `tools/call` of a tool that refused. Throws the error again unless it is a Refusal or a Notice. */
export function toToolError(caller: Caller, name: string, error: unknown): ResultText {
  if (error instanceof Notice) return withVersion(caller, toErrorResult(error.message))
  if (error instanceof Refusal)
    return withVersion(caller, toErrorResult(`Error executing tool ${name}: ${error.message}`, error.advice))
  throw error
}

function withVersion(caller: Caller, { text, meta }: ResultText): ResultText {
  return caller.hosted ? { text, meta } : { text, meta: { ...meta, ...VERSION } }
}

/**
 * Converts any error to one that the caller may read. One that is not a ProtocolError is logged, and the caller gets
 * only the id of the request; but not while the service closes, when every call that was cut off fails somewhere.
 */
export function toProtocolError(service: Service, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof Unauthorized) return new ProtocolError(Code.invalidRequest, error.message, 401)
  if (error instanceof StorageDown || error instanceof DamagedProject)
    return new ProtocolError(Code.internalError, error.message, 503)
  if (service.isClosed()) return new ProtocolError(Code.internalError, 'the service is stopping; try again', 503)
  const requestId = currentRequestId() ?? service.random.uuid(service.clock.now())
  service.log('internal error', { request_id: requestId, error: error instanceof Error ? error.stack : String(error) })
  return new ProtocolError(Code.internalError, `Internal error (request ${requestId})`)
}

/** A block for each text. One that repeats a part of what was given may be cut within a character. */
function toErrorResult(...texts: (string | undefined)[]): ResultText {
  const content = texts
    .filter((text) => text !== undefined)
    .map((text) => ({ type: 'text', text: text.toWellFormed() }))
  return { text: JSON.stringify({ content, isError: true }) }
}
