import { type AuditEvent, recordEvent, toChanges } from '../account/audit/audit.ts'
import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { requireName } from '../account/organizations/names.ts'
import { SECOND_MS } from '../clock.ts'
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
  requirePicks,
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

/** Changes of an integration. Omitted fields stay unchanged. */
export type IntegrationChange = Pick<IntegrationInput, 'name' | 'headers' | 'mode' | 'timeoutMs' | 'stateful'> & {
  url?: string | undefined
  /** Names of the only tools that may be used; null for every tool. */
  tools?: string[] | null | undefined
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

/**
 * Changes an integration from its next call on, with new sessions. Headers that are given replace those of the same
 * name, others stay. If the URL changes to another server, no header is kept: a credential must not be sent to a server
 * it was not given for.
 *
 * @throws Refusal for an invalid value, for another URL that may not be called, and if there is a credential and
 *   another server is named without any header.
 */
export async function changeIntegration(
  ctx: AppContext,
  actor: Actor,
  { id, accountId, slug, url }: Integration,
  change: IntegrationChange,
): Promise<void> {
  requireManager(actor, accountId)
  const newUrl = requireUrl(change.url ?? url)
  // An address that was allowed once must not keep anybody from changing something else.
  if (newUrl !== url) await requireCallable(ctx, actor, newUrl)
  const headers = change.headers && requireHeaders(change.headers)
  if (headers !== undefined) await ensureKeyring(ctx)
  await ctx.store.control.write(async (tx) => {
    const current = await tx.find('integrations', { id })
    if (current === undefined) throw new Refusal(`no integration '${slug}'`)
    await writeChange(ctx, tx, actor, current, { ...change, headers })
  })
}

/** Changes an integration as it is now, and records that. */
export async function writeChange(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  current: Integration,
  change: IntegrationChange,
): Promise<void> {
  const settings = toSettings(current, change)
  const all = toHeaders(ctx, current, settings.url, change.headers)
  const headers = all !== undefined && { headers: encryptHeaders(ctx, current, all) }
  await tx.update('integrations', { id: current.id }, { ...settings, ...headers })
  const isNew = all !== undefined
  const changes = toChanges(toWords(current, 'the old one'), toWords(settings, isNew ? 'a new one' : 'the old one'))
  const details = { ...settings, tools: settings.tools?.length ?? 'all', credential: isNew, changes }
  await recordEvent(ctx, tx, actor, { ...toEvent('integration.change', current), details })
}

function toSettings(current: Integration, { name, url, mode, tools, timeoutMs, stateful }: IntegrationChange) {
  return {
    name: name === undefined ? current.name : requireName('the integration name', name),
    url: url === undefined ? current.url : requireUrl(url),
    mode: mode ?? current.mode,
    tools: tools === undefined ? current.tools : requirePicks(tools),
    timeoutMs:
      timeoutMs === undefined ? current.timeoutMs : requireInRange('the timeout', timeoutMs, TIMEOUT_MS, 'timeout'),
    stateful: stateful ?? current.stateful,
  }
}

type Settings = ReturnType<typeof toSettings>

/** Settings in words, for the sentence of a change in the audit log. */
function toWords({ name, url, mode, tools, timeoutMs, stateful }: Settings, credential: string) {
  const timeout = `${timeoutMs / SECOND_MS} s`
  const sessions = stateful ? 'one for each key' : 'one for each project'
  return {
    name,
    address: url,
    mode,
    tools: tools?.join(', ').slice(0, MAX_SHOWN_TOOLS) ?? 'all',
    timeout,
    sessions,
    credential,
  }
}

/** Characters of the names of tools in the sentence of a change. */
const MAX_SHOWN_TOOLS = 200

/** The headers after a change; undefined if they stay as they are. */
function toHeaders(
  ctx: AppContext,
  current: Integration,
  url: string,
  given: Headers | undefined,
): Headers | undefined {
  const isElsewhere = new URL(url).origin !== new URL(current.url).origin
  if (!isElsewhere && given === undefined) return undefined
  const kept = decryptHeaders(ctx, current)
  if (!isElsewhere) return requireHeaders({ ...kept, ...given })
  if (given === undefined && Object.keys(kept).length > 0)
    throw new Refusal('the credential was given for the present server; enter one for the other', 'credential')
  return given ?? {}
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

function toEvent(act: string, { accountId, slug }: Integration, project?: Project): AuditEvent {
  return { act, accountId, projectId: project?.id ?? null, target: slug }
}
