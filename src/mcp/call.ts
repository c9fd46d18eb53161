import { consumeCall } from '../account/limits/throttle.ts'
import { requireActiveSubscription } from '../account/subscription/subscription.ts'
import { countCall } from '../account/usage/count-calls.ts'
import { unquote } from '../arguments.ts'
import { CountedRefusal, Notice, ProtocolError, Refusal, StorageRefusal, Unauthorized } from '../errors.ts'
import type { OnProgress } from '../gateway/progress.ts'
import { Code, isObject, type Params, type ResultText } from '../jsonrpc.ts'
import { noteRequest } from '../log/request.ts'
import type { CallOutcome } from '../metrics/metrics.ts'
import { findTool, type Tool } from './catalogue.ts'
import { findProgressToken, type LongCall, runWithProgress } from './progress.ts'
import { toToolError, toToolResult } from './reply.ts'
import type { McpRequest } from './request.ts'

/**
 * Answers `tools/call`. The order of the checks is part of the contract: the tool exists for this caller, the rate
 * limits of its key and project, the subscription, the arguments, the number of concurrent calls. Throws ProtocolError
 * for an unknown tool or malformed params, and Unauthorized if the credential was revoked while the call waited; every
 * other refusal is a tool result with `isError: true`. A call refused after the rate limits counts against them.
 */
export async function callTool(request: McpRequest): Promise<ResultText | LongCall> {
  const { name, args } = parseParams(request.params)
  const startedAt = request.service.clock.ticks()
  const tool = await findTool(request.catalogue, request.caller, name)
  if (tool === undefined) {
    const error = new ProtocolError(Code.invalidParams, `Unknown tool: ${name}`)
    reportCall(request, tool, startedAt, error)
    throw error
  }
  if (!isCancellable(request, tool)) return runTool(request, tool, args, request.signal)
  const forward = (onProgress?: OnProgress) =>
    request.cancellations.run(request, request.id, request.signal(), (signal) =>
      runTool(request, tool, args, () => signal, onProgress),
    )
  const token = tool.access === 'gateway' ? findProgressToken(request.params) : undefined
  return token === undefined ? forward() : runWithProgress(token, request.timing, forward)
}

/** Whether ending a call saves work: of another server, or of a database that reads for it. */
const isCancellable = ({ service }: McpRequest, { access }: Tool) =>
  access === 'gateway' || (access === 'read' && service.store.untilAborted !== undefined)

async function runTool(
  request: McpRequest,
  tool: Tool,
  args: Params,
  signal: () => AbortSignal,
  onProgress?: OnProgress,
): Promise<ResultText> {
  const { service, caller, identify } = request
  const startedAt = service.clock.ticks()
  try {
    await consumeCall(service, caller)
    requireActiveSubscription(service, caller, tool.access)
    const call = {
      service,
      caller,
      isUnasked: isUnasked(request.params),
      args: tool.readArguments(args),
      signal,
      onProgress,
    }
    const calls = tool.access === 'gateway' ? service.forwardedCalls : service.memoryCalls
    // The key may have been revoked, or its holder moved, while the call waited for its turn.
    const runNow = async () => tool.run({ ...call, caller: await identify() })
    const { untilAborted } = service.store
    const run = tool.access === 'read' && untilAborted !== undefined ? () => untilAborted(signal(), runNow) : runNow
    const result = toToolResult(caller, await calls.run(caller.keyId, request.bytes, run, signal))
    reportCall(request, tool, startedAt)
    return result
  } catch (error) {
    reportCall(request, tool, startedAt, error)
    return toToolError(caller, tool.name, error)
  }
}

/** Whether a client says in `_meta` that it tells the result to a session that did not ask. */
const isUnasked = ({ _meta }: Params): boolean => isObject(_meta) && _meta['memsvc/unasked'] === true

/** Throws ProtocolError. */
function parseParams({ name, arguments: args = {} }: Params): { name: string; args: Params } {
  if (typeof name !== 'string') throw new ProtocolError(Code.invalidParams, 'Invalid params: name must be a string')
  const given = unquote(args)
  if (!isObject(given)) throw new ProtocolError(Code.invalidParams, 'Invalid params: arguments must be an object')
  return { name, args: given }
}

const OWN_GATEWAY_TOOL = 'gateway_call'

/**
 * Counts a finished tool call in the metrics and in the daily usage, and adds it to the request's log line. In metrics
 * and log, tools of other servers count as `integration` and unknown names as `unknown`, since these must not contain
 * anything a caller made up.
 */
function reportCall({ service, caller }: McpRequest, tool: Tool | undefined, startedAt: number, error?: unknown): void {
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

/** Whether the call was one of an integration. Then the gateway counts it, with what it knows of tool and outcome. */
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
