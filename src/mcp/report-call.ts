import { countCall } from '../account/usage/count-calls.ts'
import { CountedRefusal, Notice, ProtocolError, Refusal, StorageRefusal, Unauthorized } from '../errors.ts'
import { noteRequest } from '../log/request.ts'
import type { CallOutcome } from '../metrics/metrics.ts'
import type { Tool } from './catalogue.ts'
import type { McpRequest } from './request.ts'

const OWN_GATEWAY_TOOL = 'gateway_call'

/**
 * Counts a finished tool call in the metrics and in the daily usage, and adds it to the request's log line. In metrics
 * and log, tools of other servers count as `integration` and unknown names as `unknown`, since these must not contain
 * anything a caller made up.
 */
export function reportCall(
  { service, caller }: McpRequest,
  tool: Tool | undefined,
  startedAt: number,
  error?: unknown,
): void {
  const { metrics, clock } = service
  const name = tool === undefined ? 'unknown' : toLabel(tool)
  const outcome = toOutcome(error)
  const refusal = tool === undefined ? 'unknown_tool' : toRefusalKind(error)
  const milliseconds = clock.ticks() - startedAt
  metrics.call(name, outcome, milliseconds)
  const reason = refusal ?? (outcome === 'unauthorized' ? 'unauthorized' : 'internal')
  if (!isCountedByGateway(tool, error))
    countCall(service, caller, { tool: toUseName(tool), outcome, milliseconds, reason })
  if (refusal !== undefined) metrics.refusal(refusal)
  noteRequest({ tool: name, outcome, ...(refusal !== undefined && { refusal }) })
}

/** Whether the call reached another server. Then the gateway counts it, by the upstream's tool name and outcome. */
function isCountedByGateway(tool: Tool | undefined, error: unknown): boolean {
  if (tool?.access !== 'gateway') return false
  return error === undefined || (error instanceof CountedRefusal && error.kind === 'integration')
}

const toUseName = (tool: Tool | undefined) =>
  tool === undefined ? 'unknown' : tool.access === 'gateway' ? OWN_GATEWAY_TOOL : tool.name

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
