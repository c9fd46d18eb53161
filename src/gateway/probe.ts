import type { Actor } from '../account/auth/actor.ts'
import { requireManager } from '../account/auth/authorize.ts'
import type { Integration } from '../store/integration.ts'
import { toFailure, UpstreamFailure } from './failure.ts'
import type { Failure } from './messages.ts'
import { createUpstreamClient, type UpstreamContext } from './upstream-client.ts'
import type { SkippedTool } from './worker/read-tools.ts'

/** The state of an integration's upstream. */
export type Probe = {
  /** Undefined when it works. */
  failure: Failure | undefined
  transport: string | undefined
  /** The MCP revision agreed on. */
  revision: string | undefined
  milliseconds: number
  /** Listed names of its read-only tools. */
  listed: string[]
  /** Names of its other tools. */
  unlisted: string[]
  /** Names of tools that were changed or added since they were accepted, which are in neither list. */
  withheld: string[]
  skipped: SkippedTool[]
}

/** Asks an integration's upstream for its tools and caches them. Throws a Refusal where the actor may not manage the account, and nothing for what the upstream does. */
export async function probeIntegration(ctx: UpstreamContext, actor: Actor, integration: Integration): Promise<Probe> {
  requireManager(actor, integration.accountId)
  const startedAt = ctx.clock.ticks()
  const { tools, listed, skipped, failure, transport, revision } = await fetchTools(ctx, integration)
  const milliseconds = Math.round(ctx.clock.ticks() - startedAt)
  const isWithheld = (name: string) => listed?.withheld.has(name) ?? false
  return {
    failure,
    transport,
    revision,
    milliseconds,
    listed: listed?.shown.dotted.map(({ name }) => name) ?? [],
    unlisted: tools.filter(({ name, readOnly }) => !readOnly && !isWithheld(name)).map(({ name }) => name),
    withheld: [...(listed?.withheld.keys() ?? [])],
    skipped,
  }
}

async function fetchTools(ctx: UpstreamContext, integration: Integration) {
  // A failure is reported to the actor and not logged.
  const client = createUpstreamClient({ ...ctx, log: () => {} }, integration)
  try {
    const { tools, listed, skipped, transport, revision } = await client.refresh()
    return { tools, listed, skipped, failure: undefined, transport, revision }
  } catch (error) {
    const { transport, revision } = error instanceof UpstreamFailure ? error.negotiated : { transport: undefined, revision: undefined }
    return { tools: [], listed: undefined, skipped: [], failure: toFailure(error), transport, revision }
  } finally {
    client.retire()
  }
}

/** Skipped tools are shown by reason, each with a few of their names: there may be thousands. */
const MAX_NAMES_SHOWN = 5

/** A probe as the command line prints it with `--json`. */
export type ProbeReport = ReturnType<typeof toProbeReport>

export function toProbeReport({ slug, mode }: Integration, probe: Probe) {
  const { failure, transport, revision, milliseconds, listed, unlisted, withheld, skipped } = probe
  return {
    slug,
    works: failure === undefined,
    failure: failure === undefined ? null : { kind: failure.kind, text: failure.text },
    transport: transport ?? null,
    revision: revision ?? null,
    milliseconds,
    listed,
    through_gateway_call: mode === 'read-write' ? unlisted : [],
    refused: mode === 'read-only' ? unlisted : [],
    withheld,
    left_out: [...Map.groupBy(skipped, ({ why }) => why)].map(([why, tools]) => ({
      why,
      count: tools.length,
      names: tools.slice(0, MAX_NAMES_SHOWN).map(({ name }) => name),
    })),
  }
}

/** The report for a person. */
export function toProbeText(report: ProbeReport): string {
  if (report.failure !== null) return `it does not work (${report.failure.kind}): ${report.failure.text}`
  const transport = report.transport === 'events' ? 'the older SSE transport' : 'Streamable HTTP'
  const lines = [
    `it works: MCP ${report.revision} over ${transport}, ${report.milliseconds} ms`,
    toLine('listed', report.listed),
    toLine('through gateway_call only', report.through_gateway_call),
    toLine('refused, since not annotated read-only', report.refused),
    toLine('withheld, since changed or added after they were accepted', report.withheld),
    ...report.left_out.map(({ why, count, names }) => `left out, since ${why}: ${count} (${names.join(', ')})`),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

function toLine(what: string, names: string[]): string {
  return names.length === 0 ? '' : `${what}: ${names.join(', ')}`
}
