import type { Caller } from '../account/auth/caller.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { ObjectText, Params } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import type { CallReceipts } from './call-receipts.ts'
import { findFailure, UpstreamFailure } from './failure.ts'
import type { Called } from './thread.ts'
import type { UpstreamClient } from './upstream-client.ts'

/** A call on its way to an upstream; `tool` is the upstream's own name. */
export type Forward = { caller: Caller; line: UpstreamClient; tool: string; args: Params; signal: AbortSignal }

/** Most calls of one integration on their way at once: an upstream that hangs must not fill the service. */
const MAX_IN_FLIGHT = 128

type Given = AppContext & { receipts: CallReceipts }

/** Calls an upstream's tool and gives its answer, the result of `tools/call` as JSON. Throws a Refusal that names the integration and the kind of failure. */
export async function forward(given: Given, call: Forward): Promise<ObjectText> {
  const { line, caller, tool } = call
  const { integration } = line
  const started = given.clock.ticks()
  const note = (outcome: string, bytes = 0) =>
    given.receipts.add({ integration, caller, tool, outcome, bytes, milliseconds: Math.round(given.clock.ticks() - started) })
  try {
    if (line.inFlight() >= MAX_IN_FLIGHT)
      throw new Refused(`integration '${integration.slug}' has ${MAX_IN_FLIGHT} calls on their way; try again`)
    const { text, isError, bytes } = await line.carry(async () => send(call, await requireTool(call)))
    note(isError ? 'error' : 'done', bytes)
    return text
  } catch (error) {
    if (error instanceof Refused) {
      note('refused')
      throw new Refusal(error.message)
    }
    const failure = findFailure(error)
    note(failure.kind)
    throw new Refusal(`integration '${integration.slug}' failed (${failure.kind}): ${failure.text}`)
  }
}

/** Our own no, told from those of the way to the upstream. */
class Refused extends Error {}

/** The tool as its upstream describes it now. */
async function requireTool({ line, tool }: Forward): Promise<UpstreamTool> {
  const { slug, mode } = line.integration
  const listed = await line.current()
  const found = listed.byOwnName.get(tool) ?? listed.byName.get(tool)?.tool
  if (found === undefined) throw new Refused(`integration '${slug}' has no tool '${tool.slice(0, 128)}'`)
  if (mode === 'read-only' && !found.readOnly)
    throw new Refused(`integration '${slug}' is connected read-only, and its tool '${tool}' is not annotated as read-only`)
  return found
}

async function send({ line, args, signal }: Forward, tool: UpstreamTool): Promise<Called> {
  try {
    return await line.call(tool, args, signal)
  } catch (error) {
    // The list may be out of date where a tool is not known any more.
    if (error instanceof UpstreamFailure && error.isUnknownTool) line.refresh().catch(() => {})
    throw error
  }
}
