import type { Caller } from '../account/auth/caller.ts'
import { Notice, ProtocolError, Refusal } from '../errors.ts'
import { Code, type ObjectText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Outcome } from './catalogue.ts'
import { identityFor, withoutIdentity } from './hosted.ts'

type Asker = Pick<Caller, 'hosted' | 'accountId' | 'projectId'>

/** Outcomes that were answered. Most questions are asked once, so texts are kept from the second time on: those of the first would be many megabytes. */
const once = new WeakSet<Outcome>()

/** The longest text that is kept, in UTF-16 code units: memory keeps at most 500 outcomes. */
const LONGEST_KEPT = 48 * 1024

/** What was said of an outcome, and to whom: memory gives one and the same outcome to a question it knows. */
const said = new WeakMap<Outcome, Asker & { text: string }>()

/** The result of `tools/call`, as JSON text, for a tool that came to an end. The outcome must not change any more. */
export function toToolResult(caller: Caller, outcome: Outcome): ObjectText {
  if ('forwarded' in outcome) return outcome.forwarded
  const known = said.get(outcome)
  if (known !== undefined && isSame(known, caller)) return known.text
  const { hosted, accountId, projectId } = caller
  const text = toResult(caller, outcome)
  if (text.length > LONGEST_KEPT) return text
  if (once.has(outcome)) said.set(outcome, { hosted, accountId, projectId, text })
  else once.add(outcome)
  return text
}

function isSame(a: Asker, b: Asker): boolean {
  return a.hosted === b.hosted && a.accountId === b.accountId && a.projectId === b.projectId
}

function toResult(caller: Caller, outcome: Outcome): string {
  const structured = JSON.stringify({ ...(caller.hosted ? (withoutIdentity(outcome) as object) : outcome), ...identityFor(caller) })
  return `{"content":[{"type":"text","text":${JSON.stringify(structured)}}],"structuredContent":${structured},"isError":false}`
}

/** The result of `tools/call`, as JSON text, for a tool that said no. Throws again what is not for the caller to read. */
export function toToolError(name: string, error: unknown): string {
  if (error instanceof Notice) return toErrorResult(error.message)
  if (error instanceof Refusal) return toErrorResult(`Error executing tool ${name}: ${error.message}`)
  throw error
}

/** The error a caller may read: ours as it is; anything else only as an id under which the log has it whole. */
export function toProtocolError(service: Service, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  const requestId = service.random.uuid(service.clock.now())
  service.log('internal error', { request_id: requestId, error: error instanceof Error ? error.stack : String(error) })
  return new ProtocolError(Code.internalError, `Internal error (request ${requestId})`)
}

function toErrorResult(text: string): string {
  return JSON.stringify({ content: [{ type: 'text', text }], isError: true })
}
