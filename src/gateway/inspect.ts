import type { Integration } from '../store/integration.ts'
import { type Failure, findFailure, UpstreamFailure } from './failure.ts'
import { toListed } from './listed-tool.ts'
import { createUpstreamClient, type Listing, type UpstreamContext } from './upstream-client.ts'

/** What an integration's upstream is like just now. */
export type Inspection = {
  /** Undefined when it works. */
  failure: Failure | undefined
  transport: string | undefined
  /** The revision of MCP it speaks. */
  revision: string | undefined
  milliseconds: number
  /** Names under which its read-only tools are listed. */
  listed: string[]
  /** Names of its other tools. */
  unlisted: string[]
  /** Tools that are not used, and why. */
  left: { name: string; why: string }[]
}

/** Asks an integration for its tools and keeps them. Never throws for what the upstream does. */
export async function inspect(ctx: UpstreamContext, integration: Integration): Promise<Inspection> {
  // What goes wrong is reported, not logged.
  const line = createUpstreamClient({ ...ctx, log: () => {} }, integration)
  const started = ctx.clock.ticks()
  let listing: Listing | undefined
  let failure: Failure | undefined
  let thrown: unknown
  try {
    listing = await line.refresh()
  } catch (error) {
    thrown = error
    failure = findFailure(error)
  }
  line.retire()
  const { transport, revision } =
    listing ?? (thrown instanceof UpstreamFailure ? thrown.spoken : { transport: undefined, revision: undefined })
  const { tools, left } = listing ?? { tools: [], left: [] }
  return {
    failure,
    transport,
    revision,
    milliseconds: Math.round(ctx.clock.ticks() - started),
    listed: (await toListed(integration, tools)).shown.dotted.map(({ name }) => name),
    unlisted: tools.filter(({ readOnly }) => !readOnly).map(({ name }) => name),
    left,
  }
}
