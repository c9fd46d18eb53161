import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import { isDeeperThan, isObject, type Params } from '../jsonrpc.ts'
import type { UpstreamTool } from '../store/integration.ts'
import { toFailure } from './failure.ts'
import type { Line } from './line.ts'
import type { Receipts } from './receipts.ts'

/** The whole answer of another server's tool. */
export type Forwarded = { content: unknown[]; structuredContent?: unknown; isError?: boolean }

/** A call on its way to an upstream; `tool` is the upstream's own name. */
export type Forward = { caller: Caller; line: Line; tool: string; args: Params; signal: AbortSignal }

/** Most calls of one integration on their way at once: an upstream that hangs must not fill the service. */
const MOST_IN_FLIGHT = 128
const DEEPEST_ANSWER = 64

type Given = Pick<Means, 'clock' | 'config'> & { receipts: Receipts }

/** Calls an upstream's tool and gives its answer as it came. Throws a Refusal that names the integration and the kind of failure. */
export async function forward(given: Given, call: Forward): Promise<Forwarded> {
  const { line, caller, tool } = call
  const { integration } = line
  const started = given.clock.ticks()
  const note = (outcome: string, bytes = 0) =>
    given.receipts.add({ integration, caller, tool, outcome, bytes, milliseconds: Math.round(given.clock.ticks() - started) })
  try {
    if (line.inFlight() >= MOST_IN_FLIGHT)
      throw new Refused(`integration '${integration.slug}' has ${MOST_IN_FLIGHT} calls on their way; try again`)
    const { answer, bytes } = await line.carry(async () => send(call, await requireTool(call)))
    note(answer.isError ? 'error' : 'done', bytes)
    return answer
  } catch (error) {
    if (error instanceof Refused) {
      note('refused')
      throw new Refusal(error.message)
    }
    const failure = toFailure(given, integration, error)
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

async function send({ line, args, signal }: Forward, tool: UpstreamTool): Promise<{ answer: Forwarded; bytes: number }> {
  try {
    const { answer, bytes } = await line.upstream.call(tool, args, signal)
    return { answer: readAnswer(answer), bytes }
  } catch (error) {
    // The list may be out of date where a tool is not known any more.
    if ((error as { code?: unknown }).code === -32602) line.refresh().catch(() => {})
    throw error
  }
}

/** The three members that are the tool's own. Throws when they are not what the protocol asks for. */
function readAnswer({ content = [], structuredContent, isError = false }: Params): Forwarded {
  if (!Array.isArray(content) || !content.every(isObject) || typeof isError !== 'boolean') throw new Error('no tool result')
  if (isDeeperThan([content, structuredContent], DEEPEST_ANSWER)) throw new Error('nested too deep')
  return { content, ...(structuredContent !== undefined && { structuredContent }), isError }
}
