import type { Integration } from '../store/integration.ts'
import { type Failure, toFailure } from './failure.ts'
import { createLine, type LineMeans } from './line.ts'
import { toListed } from './listed.ts'
import type { Listing } from './upstream.ts'

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
export async function inspect(means: LineMeans, integration: Integration): Promise<Inspection> {
  // What goes wrong is reported, not logged.
  const line = createLine({ ...means, log: () => {} }, integration)
  const started = means.clock.ticks()
  let listing: Listing | undefined
  let failure: Failure | undefined
  try {
    listing = await line.refresh()
  } catch (error) {
    failure = toFailure(means, integration, error)
  }
  const { transport, revision } = line.upstream.spoken() ?? {}
  await line.upstream.close()
  const { tools, left } = listing ?? { tools: [], left: [] }
  return {
    failure,
    transport,
    revision,
    milliseconds: Math.round(means.clock.ticks() - started),
    listed: toListed(integration, tools).shown.dotted.map(({ name }) => name),
    unlisted: tools.filter(({ readOnly }) => !readOnly).map(({ name }) => name),
    left,
  }
}
