import type { Caller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import type { CallUse } from '../account/usage/call-uses.ts'
import { countCall } from '../account/usage/count-calls.ts'
import { CountedRefusal } from '../errors.ts'
import type { Params, ResultText } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import type { CallReceipts } from './call-receipts.ts'
import { CallRefused, toFailure, UpstreamFailure } from './messages.ts'
import type { CallWatch } from './progress.ts'
import type { Sessions } from './sessions.ts'
import type { ToolChange } from './tool-changes.ts'
import { toToolLines } from './tool-lines.ts'
import type { UpstreamClient } from './upstream-client.ts'
import type { CallOutcome } from './upstream-worker.ts'

/** A call of an upstream's tool. `tool` is the upstream's name for it or a listed name. */
type UpstreamCall = { caller: Caller; client: UpstreamClient; tool: string; args: Params; watch: CallWatch }

/** Maximum number of concurrent calls of one integration, so that a hanging upstream cannot fill the service. */
const MAX_IN_FLIGHT = 128
const MAX_NAME_CHARACTERS = 128

type CallContext = AppContext & { receipts: CallReceipts; sessions: Sessions }

/**
 * Calls an upstream's tool and adds a receipt, whatever the outcome. Returns the result of `tools/call`. Throws a
 * Refusal that names the integration and the kind of failure.
 */
export async function callUpstreamTool(ctx: CallContext, call: UpstreamCall): Promise<ResultText> {
  const { client, caller, tool } = call
  const { integration } = client
  const startedAt = ctx.clock.ticks()
  const { slug } = integration
  // Counted under the name of an existing tool, never under one that a caller made up.
  let counted = slug
  const addReceipt = (outcome: string, bytes = 0, reason = outcome) => {
    const milliseconds = ctx.clock.ticks() - startedAt
    countCall(ctx, caller, {
      tool: counted,
      outcome: toUseOutcome(outcome),
      milliseconds,
      reason: `integration.${reason}`,
    })
    ctx.metrics.upstreamCall(outcome, milliseconds)
    ctx.receipts.add({ integration, caller, tool, outcome, bytes, milliseconds: Math.round(milliseconds) })
  }
  try {
    if (client.callsInFlight() >= MAX_IN_FLIGHT)
      throw new CallRefused(
        'many',
        `integration '${integration.slug}' has ${MAX_IN_FLIGHT} calls on their way; try again`,
      )
    const { text, meta, isError, bytes } = await client.track(async () => {
      const tool = await requireTool(call)
      counted = `${slug}.${tool.name.slice(0, MAX_NAME_CHARACTERS)}`
      return ctx.sessions.run(client, caller, (connectionId) => send(call, tool, connectionId))
    })
    addReceipt(isError ? 'error' : 'done', bytes)
    return { text, meta }
  } catch (error) {
    if (error instanceof CallRefused) {
      addReceipt('refused', 0, error.reason)
      throw new CountedRefusal('integration', error.message, undefined, error.advice)
    }
    const failure = toFailure(error)
    addReceipt(failure.kind)
    throw new CountedRefusal(
      'integration',
      `integration '${integration.slug}' failed (${failure.kind}): ${failure.text}`,
    )
  }
}

const USE_OUTCOMES: Record<string, CallUse['outcome']> = { done: 'ok', refused: 'refused' }

/** The outcome as usage counts it: `failed` if the tool, its server or the connection failed. */
const toUseOutcome = (outcome: string) => USE_OUTCOMES[outcome] ?? 'failed'

/** The tool as its upstream describes it now, if that is how it was accepted. */
async function requireTool({ client, tool }: UpstreamCall): Promise<UpstreamTool> {
  const { slug, mode } = client.integration
  const listed = await client.tools.current()
  const { byOwnName, byName, withheld } = listed
  const found = byOwnName.get(tool) ?? byName.get(tool)?.tool
  const refuse = (reason: CallRefused['reason'], message: string) =>
    new CallRefused(reason, message, toToolLines(client.integration, listed))
  if (found === undefined)
    throw refuse('no_tool', `integration '${slug}' has no tool '${tool.slice(0, MAX_NAME_CHARACTERS)}'`)
  if (mode === 'read-only' && !found.readOnly)
    throw refuse(
      'read_only',
      `integration '${slug}' is connected read-only, and its tool '${tool}' is not annotated as read-only`,
    )
  const change = withheld.get(found.name)
  if (change !== undefined) throw new CallRefused('withheld', toWithheldText(slug, change))
  return found
}

function toWithheldText(slug: string, { before, after }: ToolChange): string {
  const what = before === undefined ? 'added' : 'changed'
  const where = `on the console's page of the integration, or with 'memsvc integration changes ${slug}'`
  return `the tool '${after.name.slice(0, MAX_NAME_CHARACTERS)}' of integration '${slug}' was ${what} by its server and is withheld until an owner or admin of the account accepts that, ${where}`
}

async function send(
  { client, args, watch }: UpstreamCall,
  tool: UpstreamTool,
  connectionId: number,
): Promise<CallOutcome> {
  try {
    return await client.call(connectionId, tool, args, watch)
  } catch (error) {
    // The cached list may be out of date.
    if (error instanceof UpstreamFailure && error.isUnknownTool) client.tools.refresh().catch(() => {})
    throw error
  }
}
