import { type AuditEvent, recordEvent } from '../account/audit/audit.ts'
import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { requireName } from '../account/organizations/names.ts'
import { Refusal } from '../errors.ts'
import type { Account, Project } from '../store/account.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Integration, ToolList } from '../store/integration.ts'
import { requireCallable } from './callable.ts'
import { decryptHeaders, encryptHeaders, type Headers } from './credentials.ts'
import { requireHeaders } from './headers.ts'
import {
  ANSWER_BYTES,
  requireInRange,
  requireSlug,
  requireTools,
  requireUrl,
  TIMEOUT_MS,
} from './integration-fields.ts'
import { ensureKeyring } from './keyring.ts'

/** An integration as a person describes it. Omitted fields get their defaults. */
export type IntegrationInput = {
  slug: string
  name?: string | undefined
  url: string
  headers?: Headers | undefined
  mode?: Integration['mode'] | undefined
  tools?: string[] | undefined
  timeoutMs?: number | undefined
  maxBytes?: number | undefined
  stateful?: boolean | undefined
}

/** Maximum number of integrations of an account, which are read together. */
const MAX_INTEGRATIONS = 100

/**
 * An integration of an account, enabled for no project, that is not stored yet, so that it can be tested first. Throws a
 * Refusal for a wrong value, a URL that may not be called, or a slug in use.
 */
export async function describeIntegration(
  ctx: AppContext,
  actor: Actor,
  account: Account,
  input: IntegrationInput,
): Promise<Integration> {
  requireManager(actor, account.id)
  const now = ctx.clock.now()
  const described = {
    id: ctx.random.uuid(now),
    accountId: account.id,
    slug: requireSlug(input.slug),
    name: requireName('the integration name', input.name ?? input.slug),
    url: requireUrl(input.url),
    mode: input.mode ?? ('read-only' as const),
    tools: requireTools(input.tools),
    timeoutMs: requireInRange('the timeout', input.timeoutMs, TIMEOUT_MS),
    maxBytes: requireInRange('the largest answer', input.maxBytes, ANSWER_BYTES),
    stateful: input.stateful ?? false,
    createdAt: now,
    acceptedAt: null,
  }
  const headers = requireHeaders(input.headers ?? {})
  requireRoom(await ctx.store.control.list('integrations', { accountId: account.id }), described.slug)
  await requireCallable(ctx, actor, described.url)
  await ensureKeyring(ctx)
  return { ...described, headers: encryptHeaders(ctx, described, headers) }
}

/**
 * Stores an integration, with its tools if it was tested. Throws a Refusal for a slug in use, and if the key of its
 * credential was replaced since it was described.
 */
export async function storeIntegration(
  ctx: AppContext,
  actor: Actor,
  integration: Integration,
  list?: ToolList,
): Promise<Integration> {
  requireManager(actor, integration.accountId)
  return ctx.store.control.write(async (tx) => {
    requireRoom(await tx.list('integrations', { accountId: integration.accountId }), integration.slug)
    // Encrypted anew, since a rotation re-encrypts only what is stored.
    const stored = { ...integration, headers: encryptHeaders(ctx, integration, decryptHeaders(ctx, integration)) }
    await tx.insert('integrations', stored)
    if (list !== undefined) await tx.insert('toolLists', list)
    await recordEvent(ctx, tx, actor, toEvent('integration.add', integration))
    return stored
  })
}

/** Stores an integration as described; see `describeIntegration`. */
export async function addIntegration(
  ctx: AppContext,
  actor: Actor,
  account: Account,
  input: IntegrationInput,
): Promise<Integration> {
  return storeIntegration(ctx, actor, await describeIntegration(ctx, actor, account, input))
}

/** Throws a Refusal if an account that has `others` may not have one more, of this slug. */
function requireRoom(others: Integration[], slug: string): void {
  if (others.some((other) => other.slug === slug))
    throw new Refusal(`there is already an integration '${slug}'`, 'slug')
  if (others.length >= MAX_INTEGRATIONS)
    throw new Refusal(`an account has at most ${MAX_INTEGRATIONS} integrations; remove some first`)
}

/** The account's integrations. Throws a Refusal for an actor who does not manage the account. */
export async function listIntegrations({ store }: AppContext, actor: Actor, { id }: Account): Promise<Integration[]> {
  requireManager(actor, id)
  return store.control.list('integrations', { accountId: id })
}

/**
 * The account's integration of this slug or id. Throws a Refusal if there is none, and for an actor who does not manage
 * the account.
 */
export async function requireIntegration(
  ctx: AppContext,
  actor: Actor,
  account: Account,
  ref: string,
): Promise<Integration> {
  const found = (await listIntegrations(ctx, actor, account)).find(({ id, slug }) => id === ref || slug === ref)
  if (found === undefined) throw new Refusal(`no integration '${ref}'`)
  return found
}

/** An integration and a project of the same account. */
type Switch = { integration: Integration; project: Project }

/**
 * Shows an integration's tools to the keys of a project, from their next call. Throws a Refusal for a project of
 * another account.
 */
export async function enableIntegration(
  ctx: AppContext,
  actor: Actor,
  { integration, project }: Switch,
): Promise<void> {
  requireManager(actor, integration.accountId)
  if (project.accountId !== integration.accountId)
    throw new Refusal(`project '${project.name}' belongs to another account`)
  await ctx.store.control.write(async (tx) => {
    await tx.save('enabledIntegrations', { integrationId: integration.id, projectId: project.id })
    await recordEvent(ctx, tx, actor, toEvent('integration.enable', integration, project))
  })
}

/** Hides an integration's tools from the keys of a project. Throws a Refusal if it was not enabled. */
export async function disableIntegration(
  ctx: AppContext,
  actor: Actor,
  { integration, project }: Switch,
): Promise<void> {
  requireManager(actor, integration.accountId)
  await ctx.store.control.write(async (tx) => {
    const disabled = await tx.delete('enabledIntegrations', { integrationId: integration.id, projectId: project.id })
    if (disabled === 0)
      throw new Refusal(`integration '${integration.slug}' is not enabled for project '${project.name}'`)
    await recordEvent(ctx, tx, actor, toEvent('integration.disable', integration, project))
  })
}

/** Removes an integration, with its credential, from its account and every project. */
export async function removeIntegration(ctx: AppContext, actor: Actor, integration: Integration): Promise<void> {
  requireManager(actor, integration.accountId)
  await ctx.store.control.write(async (tx) => {
    await deleteIntegration(tx, integration.id)
    await recordEvent(ctx, tx, actor, toEvent('integration.remove', integration))
  })
}

/** Erases an integration with its list of tools, and disables it for every project. */
export async function deleteIntegration(tx: ControlWrites, id: string): Promise<void> {
  await tx.delete('toolLists', { integrationId: id })
  await tx.delete('enabledIntegrations', { integrationId: id })
  await tx.delete('integrations', { id })
}

export function toEvent(act: string, { accountId, slug }: Integration, project?: Project): AuditEvent {
  return { act, accountId, projectId: project?.id ?? null, target: slug }
}
