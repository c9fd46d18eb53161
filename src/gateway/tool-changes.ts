import { createHash } from 'node:crypto'
import { recordEvent } from '../account/audit/audit.ts'
import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { Integration, ToolList, UpstreamTool } from '../store/integration.ts'

/**
 * A tool whose title, description, schemas or read-only annotation differ from what a person accepted; `before` is
 * undefined for a new tool. It is withheld: neither listed nor called. The first list of a server counts as accepted.
 */
export type ToolChange = { before: UpstreamTool | undefined; after: UpstreamTool }

/**
 * The changes shown at once, their total number, a digest by which `acceptTools` verifies what was seen, and the names
 * of all withheld tools.
 */
export type ToolReview = { changes: ToolChange[]; total: number; seen: string; names: string[] }

/** `tool` is the name of a single tool to accept; by default, all that were shown. */
type Acceptance = { seen: string; tool?: string | undefined }

/** Bounds of what is shown at once; the first change is shown however large it is. */
const MAX_REVIEWED = 20
const MAX_REVIEWED_CHARACTERS = 131_072
const SEEN_CHARACTERS = 16
const MAX_DETAIL_CHARACTERS = 1_024

/**
 * The tools of a list that differ from the accepted ones, in the order of the list. The order of members within a
 * schema does not matter.
 */
export function findToolChanges(tools: UpstreamTool[], accepted: UpstreamTool[]): ToolChange[] {
  const acceptedByName = new Map(accepted.map((tool) => [tool.name, tool]))
  const changes: ToolChange[] = []
  for (const after of tools) {
    const before = acceptedByName.get(after.name)
    if (before === undefined || !Bun.deepEquals(before, after, true)) changes.push({ before, after })
  }
  return changes
}

/**
 * The withheld tools of an integration, as its server last described them. Throws a Refusal for an actor who may not
 * manage the account.
 */
export async function reviewToolChanges(
  { store }: AppContext,
  actor: Actor,
  integration: Integration,
): Promise<ToolReview> {
  requireManager(actor, integration.accountId)
  return toReview(await store.control.find('toolLists', { integrationId: integration.id }))
}

/**
 * Accepts reviewed changes, so that the tools are offered from the next call on. Returns their names. Throws a Refusal
 * if these are not what is withheld now, and for an actor who may not manage the account.
 */
export async function acceptTools(
  ctx: AppContext,
  actor: Actor,
  integration: Integration,
  { seen, tool }: Acceptance,
): Promise<string[]> {
  const { id, accountId, slug } = integration
  requireManager(actor, accountId)
  const list = await ctx.store.control.find('toolLists', { integrationId: id })
  const review = await toReview(list)
  const names = review.changes.map(({ after }) => after.name).filter((name) => tool === undefined || name === tool)
  const refusal = new Refusal(`the tools of integration '${slug}' are not the ones that were shown; look at them again`)
  if (list === undefined || review.seen !== seen || names.length === 0) throw refusal
  const change = { accepted: toAccepted(list, names), withheld: review.total - names.length }
  const details = { tools: names.join(', ').slice(0, MAX_DETAIL_CHARACTERS), count: names.length }
  await ctx.store.control.write(async (tx) => {
    if (!Bun.deepEquals(await tx.find('toolLists', { integrationId: id }), list)) throw refusal
    await tx.update('toolLists', { integrationId: id }, change)
    await tx.update('integrations', { id }, { acceptedAt: toNextAcceptance(ctx, integration) })
    await recordEvent(ctx, tx, actor, { act: 'integration.accept', accountId, projectId: null, target: slug, details })
  })
  return names
}

/**
 * A new value of `acceptedAt`, which tells holders of the list to load it again. Always larger than the previous one,
 * even if the clock went back.
 */
export const toNextAcceptance = ({ clock }: Pick<AppContext, 'clock'>, { acceptedAt }: Integration): number =>
  Math.max(clock.now(), (acceptedAt ?? 0) + 1)

/** The accepted tools once the named ones are accepted too, without tools that the server no longer lists. */
function toAccepted({ tools, accepted }: ToolList, names: string[]): UpstreamTool[] {
  const before = new Map(accepted.map((tool) => [tool.name, tool]))
  return tools.flatMap((tool) => (names.includes(tool.name) ? tool : (before.get(tool.name) ?? [])))
}

function toReview(list: ToolList | undefined): ToolReview {
  const all = list === undefined ? [] : findToolChanges(list.tools, list.accepted)
  const changes: ToolChange[] = []
  const digest = createHash('sha256')
  let characters = 0
  for (const change of all.slice(0, MAX_REVIEWED)) {
    const json = JSON.stringify(change)
    characters += json.length
    if (characters > MAX_REVIEWED_CHARACTERS && changes.length > 0) break
    changes.push(change)
    digest.update(json)
  }
  const names = all.map(({ after }) => after.name)
  return { changes, total: all.length, seen: digest.digest('hex').slice(0, SEEN_CHARACTERS), names }
}
