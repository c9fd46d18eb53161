import { CountedRefusal, Notice, ProtocolError, Refusal, StorageRefusal, Unauthorized } from '../errors.ts'
import { noteRequest } from '../log/request.ts'
import type { CallOutcome } from '../metrics/metrics.ts'
import type { Service } from '../service.ts'
import type { Tool } from './catalogue.ts'

const OWN_GATEWAY_TOOL = 'gateway_call'

/**
 * Counts a call of a tool that has ended, and notes it for the log's line of its request. Tools of other servers count as `integration`, since neither the metrics nor
 * the log may hold what a caller made up; so does no tool at all as `unknown`.
 */
export function reportCall({ metrics, clock }: Service, tool: Tool | undefined, startedAt: number, error?: unknown): void {
  const name = tool === undefined ? 'unknown' : toLabel(tool)
  const outcome = toOutcome(error)
  const refusal = tool === undefined ? 'unknown_tool' : toRefusalKind(error)
  metrics.call(name, outcome, clock.ticks() - startedAt)
  if (refusal !== undefined) metrics.refusal(refusal)
  noteRequest({ tool: name, outcome, ...(refusal !== undefined && { refusal }) })
}

function toLabel({ name, access }: Tool): string {
  return access === 'gateway' && name !== OWN_GATEWAY_TOOL ? 'integration' : name
}

function toOutcome(error: unknown): CallOutcome {
  if (error === undefined) return 'ok'
  if (error instanceof Notice) return 'notice'
  if (error instanceof Unauthorized) return 'unauthorized'
  return error instanceof Refusal || error instanceof ProtocolError ? 'refused' : 'failed'
}

function toRefusalKind(error: unknown): string | undefined {
  if (error instanceof Notice) return 'subscription'
  if (error instanceof StorageRefusal) return 'storage'
  if (error instanceof CountedRefusal) return error.kind
  return error instanceof Refusal ? 'other' : undefined
}
