import { recordEventAlone } from '../account/audit/audit.ts'
import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { Integration, ToolList, UpstreamTool } from '../store/integration.ts'
import { toAdvice } from './callable.ts'
import { type Failure, toFailure, UpstreamFailure } from './messages.ts'
import { findToolChanges, toNextAcceptance } from './tool-changes.ts'
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
  /** Its tools, as they are stored with an integration that is tested before it is; undefined when it does not work. */
  list: ToolList | undefined
}

/**
 * Tests an integration, stored or not: asks its upstream for its tools and caches them, so that changes take effect with the next
 * call. Records the test and its outcome in the audit log. Throws a Refusal for an actor who may not manage the
 * account; failures of the upstream are returned.
 */
export async function probeIntegration(ctx: UpstreamContext, actor: Actor, integration: Integration): Promise<Probe> {
  requireManager(actor, integration.accountId)
  const startedAt = ctx.clock.ticks()
  const { tools, listed, skipped, failure, transport, revision, list } = await fetchTools(ctx, integration)
  const milliseconds = Math.round(ctx.clock.ticks() - startedAt)
  const { accountId, slug } = integration
  const details = { milliseconds, tools: tools.length, ...(failure !== undefined && { failure: failure.kind }) }
  await recordEventAlone(ctx, actor, {
    act: TEST_ACT,
    accountId,
    target: slug,
    outcome: failure === undefined ? 'done' : 'failed',
    details,
  })
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
    list,
  }
}

const TEST_ACT = 'integration.test'

/**
 * An earlier test: its time (milliseconds since 1970), its duration, and the kind of failure; undefined if it
 * succeeded.
 */
export type PastTest = { at: number; milliseconds: number; failure: string | undefined }

/** Number of the account's latest tests that are searched for one of this integration. */
const MAX_PAST_TESTS = 200

/** The last test of an integration; undefined if there was none lately. */
export async function findLastTest(
  { store }: Pick<UpstreamContext, 'store'>,
  { accountId, slug }: Integration,
): Promise<PastTest | undefined> {
  const tests = await store.control.listAudit({ accountId, act: TEST_ACT, limit: MAX_PAST_TESTS })
  const last = tests.find(({ target }) => target === slug)
  if (last === undefined) return undefined
  const { milliseconds, failure } = last.details
  return { at: last.at, milliseconds: Number(milliseconds), failure: typeof failure === 'string' ? failure : undefined }
}

async function fetchTools(ctx: UpstreamContext, integration: Integration) {
  // A failure is reported to the actor and not logged.
  const client = createUpstreamClient({ ...ctx, log: () => {} }, integration)
  try {
    const before = await ctx.store.control.find('toolLists', { integrationId: integration.id })
    const { tools, listed, skipped, transport, revision, unpicked, ttlMs = 0 } = await client.tools.refresh()
    if (before !== undefined && (await isChanged(tools, before.tools))) await putInForce(ctx, integration)
    const fetched = { tools, accepted: tools, withheld: 0, unpicked, ttlMs, fetchedAt: ctx.clock.now() }
    const list = { integrationId: integration.id, ...fetched }
    return { tools, listed, skipped, failure: undefined, transport, revision, list }
  } catch (error) {
    const { transport, revision } =
      error instanceof UpstreamFailure ? error.negotiated : { transport: undefined, revision: undefined }
    return {
      tools: [],
      listed: undefined,
      skipped: [],
      failure: toFailure(error),
      transport,
      revision,
      list: undefined,
    }
  } finally {
    client.retire()
  }
}

const isChanged = (tools: UpstreamTool[], before: UpstreamTool[]): boolean =>
  tools.length !== before.length || findToolChanges(tools, before).length > 0

/** Makes everybody who holds an earlier list, in this process or another, load the stored one at the next call. */
async function putInForce(ctx: UpstreamContext, integration: Integration): Promise<void> {
  const acceptedAt = toNextAcceptance(ctx, integration)
  await ctx.store.control.write((tx) => tx.update('integrations', { id: integration.id }, { acceptedAt }))
}

/** Skipped tools are grouped by reason, with at most this many names each, since there may be thousands. */
const MAX_NAMES_SHOWN = 5

/** A probe as the command line prints it with `--json`. */
export type ProbeReport = ReturnType<typeof toProbeReport>

export function toProbeReport({ slug, mode, url }: Integration, probe: Probe) {
  const { failure, transport, revision, milliseconds, listed, unlisted, withheld, skipped } = probe
  return {
    slug,
    works: failure === undefined,
    failure:
      failure === undefined
        ? null
        : { kind: failure.kind, text: failure.text, advice: toAdvice(failure.kind, { url }) ?? null },
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
  if (report.failure !== null) {
    const { kind, text, advice } = report.failure
    return `it does not work (${kind}): ${text}${advice === null ? '' : `; ${advice}`}`
  }
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
