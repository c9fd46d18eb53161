import { type AuditEvent, recordEvent } from '../account/audit/audit.ts'
import type { Actor } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { requireName } from '../account/organizations/name.ts'
import { Refusal } from '../errors.ts'
import type { Account, Project } from '../store/account.ts'
import type { Integration } from '../store/integration.ts'
import { MAX_ANSWER_BYTES } from './bounds.ts'
import { requireHeaders } from './headers.ts'
import { decrypt, encrypt, type Headers } from './secret.ts'

/** An integration as a person describes it; what is left out is the usual. */
export type Wish = {
  slug: string
  name?: string | undefined
  url: string
  headers?: Headers | undefined
  mode?: Integration['mode'] | undefined
  tools?: string[] | undefined
  timeoutMs?: number | undefined
  maxBytes?: number | undefined
}

const SLUG = /^[a-z][a-z0-9-]{1,30}$/
const TIMEOUT = { usual: 60_000, least: 1_000, most: 600_000 }
const BYTES = { usual: 1_048_576, least: 1_024, most: MAX_ANSWER_BYTES }
const MAX_PICKED_TOOLS = 500
/** Of a URL: to read one takes time quadratic in the marks of its host. */
const MAX_URL_LENGTH = 2_048

/** Connects an integration to an account, enabled for no project yet. Throws a Refusal for a wrong value or a slug in use. */
export async function addIntegration(ctx: AppContext, account: Account, wish: Wish, by: Actor): Promise<Integration> {
  const { store, clock, random } = ctx
  const now = clock.now()
  const described = {
    id: random.uuid(now),
    accountId: account.id,
    slug: requireSlug(wish.slug),
    name: requireName('the integration name', wish.name ?? wish.slug),
    url: requireUrl(wish.url),
    mode: wish.mode ?? ('read-only' as const),
    tools: requireTools(wish.tools),
    timeoutMs: requireBetween('the time-out, in milliseconds,', wish.timeoutMs, TIMEOUT),
    maxBytes: requireBetween('the largest answer, in bytes,', wish.maxBytes, BYTES),
    createdAt: now,
  }
  const headers = requireHeaders(wish.headers ?? {})
  return store.control.write(async (tx) => {
    const others = await tx.listIntegrations(account.id)
    if (others.some(({ slug }) => slug === described.slug)) throw new Refusal(`there is already an integration '${described.slug}'`)
    const integration = { ...described, headers: encrypt(ctx, described, headers) }
    await tx.insertIntegration(integration)
    await recordEvent(ctx, tx, by, toDeed('integration.add', integration))
    return integration
  })
}

/** The account's integration of this slug or id. Throws a Refusal otherwise. */
export async function requireIntegration({ store }: AppContext, account: Account, ref: string): Promise<Integration> {
  const found = (await store.control.listIntegrations(account.id)).find(({ id, slug }) => id === ref || slug === ref)
  if (found === undefined) throw new Refusal(`no integration '${ref}'`)
  return found
}

/** Gives headers new values, beside those that are not named. Returns the names of all. */
export async function replaceHeaders(ctx: AppContext, integration: Integration, headers: Headers, by: Actor): Promise<string[]> {
  const given = requireHeaders(headers)
  return ctx.store.control.write(async (tx) => {
    const current = (await tx.listIntegrations(integration.accountId)).find(({ id }) => id === integration.id)
    if (current === undefined) throw new Refusal(`no integration '${integration.slug}'`)
    const all = requireHeaders({ ...decrypt(ctx, current), ...given })
    await tx.updateIntegration(current.id, { headers: encrypt(ctx, current, all) })
    await recordEvent(ctx, tx, by, toDeed('integration.credentials', current))
    return Object.keys(all)
  })
}

/** Shows an integration's tools to the keys of a project, from their next call. */
export async function enableIntegration(ctx: AppContext, integration: Integration, project: Project, by: Actor): Promise<void> {
  if (project.accountId !== integration.accountId) throw new Refusal(`project '${project.name}' belongs to another account`)
  await ctx.store.control.write(async (tx) => {
    await tx.enableIntegration(integration.id, project.id)
    await recordEvent(ctx, tx, by, toDeed('integration.enable', integration, project))
  })
}

/** Hides them again. Throws a Refusal where it was not enabled. */
export async function disableIntegration(ctx: AppContext, integration: Integration, project: Project, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const was = await tx.disableIntegration(integration.id, project.id)
    if (!was) throw new Refusal(`integration '${integration.slug}' is not enabled for project '${project.name}'`)
    await recordEvent(ctx, tx, by, toDeed('integration.disable', integration, project))
  })
}

/** Removes an integration from its account and every project, with its credential. */
export async function removeIntegration(ctx: AppContext, integration: Integration, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    await tx.deleteIntegration(integration.id)
    await recordEvent(ctx, tx, by, toDeed('integration.remove', integration))
  })
}

function toDeed(act: string, { accountId, slug }: Integration, project?: Project): AuditEvent {
  return { act, accountId, projectId: project?.id ?? null, target: slug }
}

function requireSlug(text: string): string {
  if (!SLUG.test(text)) throw new Refusal('the slug must have 2 to 31 small letters, digits and hyphens, and begin with a letter')
  return text
}

function requireUrl(text: string): string {
  if (text.length > MAX_URL_LENGTH) throw new Refusal(`the URL must have at most ${MAX_URL_LENGTH} characters`)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Refusal('the URL must be an https URL')
  if (url.username || url.password || url.hash)
    throw new Refusal('the URL must have no user and no fragment; a credential belongs into a header')
  return url.href
}

function requireTools(tools: string[] | undefined): string[] | null {
  if (tools === undefined || tools.length === 0) return null
  if (tools.length > MAX_PICKED_TOOLS) throw new Refusal(`at most ${MAX_PICKED_TOOLS} tools can be picked`)
  return [...new Set(tools)].sort()
}

function requireBetween(what: string, value: number | undefined, { usual, least, most }: typeof TIMEOUT): number {
  if (value === undefined) return usual
  if (!Number.isInteger(value) || value < least || value > most) throw new Refusal(`${what} must be from ${least} to ${most}`)
  return value
}
