import { recordEvent, toChanges } from '../account/audit/audit.ts'
import { type Actor, requireManager } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { requireName } from '../account/organizations/names.ts'
import { SECOND_MS } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { ControlWrites } from '../store/control.ts'
import type { Integration } from '../store/integration.ts'
import { requireCallable } from './callable.ts'
import { decryptHeaders, encryptHeaders, type Headers } from './credentials.ts'
import { requireHeaders } from './headers.ts'
import { type IntegrationInput, toEvent } from './integration.ts'
import { requireInRange, requirePicks, requireUrl, TIMEOUT_MS } from './integration-fields.ts'
import { ensureKeyring } from './keyring.ts'

/** Changes of an integration. Omitted fields stay unchanged. */
type IntegrationChange = Pick<IntegrationInput, 'name' | 'headers' | 'mode' | 'timeoutMs' | 'stateful'> & {
  url?: string | undefined
  /** Names of the only tools that may be used; null for every tool. */
  tools?: string[] | null | undefined
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
  integration: Integration,
  change: IntegrationChange,
): Promise<void> {
  const { accountId, url } = integration
  requireManager(actor, accountId)
  const newUrl = requireUrl(change.url ?? url)
  // An address that was allowed once must not keep anybody from changing something else.
  if (newUrl !== url) await requireCallable(ctx, actor, newUrl)
  const headers = change.headers && requireHeaders(change.headers)
  if (headers !== undefined) await ensureKeyring(ctx)
  await writeChange(ctx, actor, integration, () => ({ ...change, headers }))
}

/** Changes an integration as it is now by what `toChange` makes of that, and records it. */
async function writeChange(
  ctx: AppContext,
  actor: Actor,
  { id, slug }: Integration,
  toChange: (current: Integration, tx: ControlWrites) => IntegrationChange | Promise<IntegrationChange>,
): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const current = await tx.find('integrations', { id })
    if (current === undefined) throw new Refusal(`no integration '${slug}'`)
    const change = await toChange(current, tx)
    const settings = toSettings(current, change)
    const all = toHeaders(ctx, current, settings.url, change.headers)
    const headers = all !== undefined && { headers: encryptHeaders(ctx, current, all) }
    await tx.update('integrations', { id }, { ...settings, ...headers })
    const isNew = all !== undefined
    const changes = toChanges(toWords(current, 'the old one'), toWords(settings, isNew ? 'a new one' : 'the old one'))
    const details = { ...settings, tools: settings.tools?.length ?? 'all', credential: isNew, changes }
    await recordEvent(ctx, tx, actor, { ...toEvent('integration.change', current), details })
  })
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
  return {
    name,
    address: url,
    mode,
    tools: tools?.join(', ').slice(0, MAX_SHOWN_TOOLS) ?? 'all',
    timeout: `${timeoutMs / SECOND_MS} s`,
    sessions: stateful ? 'one for each key' : 'one for each project',
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

/** Names of tools to switch on and off. */
type ToolSwitches = { on: ReadonlySet<string>; off: ReadonlySet<string> }

/**
 * Switches tools of an integration, and leaves all others as they are now. While all known tools are on, those that the
 * server adds later are on too.
 *
 * @throws Refusal for an actor who does not manage the account, if no tool would be on, and above 500 of them.
 */
export async function switchTools(
  ctx: AppContext,
  actor: Actor,
  integration: Integration,
  { on, off }: ToolSwitches,
): Promise<void> {
  requireManager(actor, integration.accountId)
  await writeChange(ctx, actor, integration, async (current, tx) => {
    const list = await tx.find('toolLists', { integrationId: current.id })
    const known = [...(list?.tools ?? []), ...(list?.unpicked ?? [])].map(({ name }) => name)
    const picked = new Set(current.tools ?? known).difference(off).union(on)
    const areAllOn = known.length > 0 && known.every((name) => picked.has(name))
    return { tools: areAllOn ? null : [...picked] }
  })
}
