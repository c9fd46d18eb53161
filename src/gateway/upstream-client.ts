import type { AppContext } from '../account/context.ts'
import type { Params } from '../jsonrpc.ts'
import type { Integration, UpstreamTool } from '../store/integration.ts'
import { decryptHeaders } from './credentials.ts'
import { toMarkField } from './mark-field.ts'
import type { UpstreamTarget } from './messages.ts'
import type { CallWatch } from './progress.ts'
import { createToolList, type ToolList } from './tool-list.ts'
import type { CallOutcome, UpstreamWorker } from './upstream-worker.ts'

export type UpstreamContext = AppContext & { upstreams: UpstreamWorker }

/** One stored version of an integration: how to reach its upstream, and the list of its tools. */
export type UpstreamClient = {
  integration: Integration
  /** The connection that lists tools; calls run in sessions of their own. */
  connectionId: number
  tools: ToolList
  /** Calls a tool over the connection of a session. Throws what `toFailure` understands. */
  call: (connectionId: number, tool: UpstreamTool, args: Params, watch: CallWatch) => Promise<CallOutcome>
  callsInFlight: () => number
  /** Runs a call, which counts as in flight meanwhile. */
  track: <T>(call: () => Promise<T>) => Promise<T>
  /** Marks the client as no longer used, and closes its connection once no call is in flight. */
  retire: () => void
  isRetired: () => boolean
  /** By the monotonic clock, in milliseconds. */
  lastUsedAt: number
}

export function createUpstreamClient(ctx: UpstreamContext, integration: Integration): UpstreamClient {
  const { clock, upstreams } = ctx
  const connectionId = upstreams.register(() => tools.noteChange())
  const tools = createToolList(ctx, integration, async () => upstreams.list({ kind: 'list', target: requireTarget() }))
  let target: UpstreamTarget | undefined
  let inFlight = 0
  let isRetired = false

  /** Throws a Refusal if the credential cannot be decrypted. */
  function requireTarget(): UpstreamTarget {
    const { accountId, url, timeoutMs, maxBytes, tools: picked } = integration
    target ??= { connectionId, accountId, url, timeoutMs, maxBytes, picked, headers: decryptHeaders(ctx, integration) }
    return target
  }

  function disconnectIfIdle(): void {
    if (isRetired && inFlight === 0) upstreams.unregister(connectionId)
  }

  return {
    integration,
    connectionId,
    tools,
    call: async (session, tool, args, { signal, onProgress }) => {
      const request = {
        kind: 'call' as const,
        target: { ...requireTarget(), connectionId: session },
        tool: tool.name,
        args: JSON.stringify(args),
        schema: tool.mirrored ? JSON.stringify(tool.inputSchema) : undefined,
        markField: toMarkField(tool.outputSchema),
        reportsProgress: onProgress !== undefined,
      }
      return upstreams.call(request, signal, onProgress)
    },
    callsInFlight: () => inFlight,
    track: async (call) => {
      inFlight += 1
      try {
        return await call()
      } finally {
        inFlight -= 1
        disconnectIfIdle()
      }
    },
    retire: () => {
      isRetired = true
      disconnectIfIdle()
    },
    isRetired: () => isRetired,
    lastUsedAt: clock.ticks(),
  }
}
