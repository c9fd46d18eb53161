import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { Refusal } from '../../errors.ts'
import { readHeader } from '../../gateway/headers.ts'
import { addIntegration, disableIntegration, enableIntegration, listIntegrations } from '../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../gateway/preset.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import type { Done } from '../done-messages.ts'
import { typedValue } from '../form.ts'
import { toField, toFold, toListWithFold, toOptions, toSelect } from '../markup/form.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import { type Column, toBadge, toTable } from '../markup/table.ts'
import type { Page } from '../page.ts'
import { paginate, toMoreLink } from '../paging.ts'
import { type FormState, type PageRequest, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'

const PATH = '/console/integrations'

/** The page of an account's integrations, for owners and admins. */
export const integrations: Page = { path: PATH, show: showIntegrations, forms: { '': add } }

async function showIntegrations(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, actor, url } = req
  const { rows, more } = paginate(url, PATH, await listIntegrations(service, actor, visitor.account))
  const withheld = await service.store.control.countWithheldTools(rows.map(({ id }) => id))
  const count = (id: string) => service.store.control.count('enabledIntegrations', { integrationId: id })
  const listed = await Promise.all(
    rows.map(async (integration) => {
      const { id } = integration
      return { integration, projects: await count(id), withheld: withheld.get(id) ?? 0 }
    }),
  )
  const body = toIntegrations({ integrations: listed, more, presets: Object.keys(PRESETS), form: toForm(state) })
  return toConsolePage(req, state, { title: 'Integrations', section: PATH, body })
}

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name)?.trim() || undefined
  const credential = field('credential')
  const input = withPreset(field('preset') ?? '', {
    slug: field('slug') ?? '',
    url: field('url'),
    name: field('name'),
    mode: field('mode') === 'read-write' ? 'read-write' : 'read-only',
    stateful: field('sessions') === 'key',
    headers: credential === undefined ? {} : readHeader(field('header') ?? '', credential),
  })
  if (input === undefined) throw new Refusal('give a URL, or choose a preset', 'url')
  const { slug } = await addIntegration(service, actor, visitor.account, input)
  return redirect(`${PATH}/${slug}`, 'integration.added')
}

/** The typed values, except the credential. */
function toForm(state: FormState): IntegrationForm {
  return {
    preset: typedValue(state, 'preset'),
    slug: typedValue(state, 'slug'),
    name: typedValue(state, 'name'),
    url: typedValue(state, 'url'),
    mode: typedValue(state, 'mode', 'read-only'),
    sessions: typedValue(state, 'sessions', 'project'),
    header: typedValue(state, 'header', 'Authorization'),
  }
}

/** Enables or disables an integration for a project, by the field `enabled`. Returns the key of the message to show. */
export async function switchIntegration(
  { service, actor }: PageRequest,
  integration: Integration,
  project: Project,
  form: URLSearchParams,
): Promise<Done> {
  const enable = form.get('enabled') === 'yes'
  await (enable ? enableIntegration : disableIntegration)(service, actor, { integration, project })
  return enable ? 'integration.enabled' : 'integration.disabled'
}

/** The values of the form that adds an integration, without its credential. */
export type IntegrationForm = { preset: string; slug: string; name: string; url: string; mode: string; sessions: string; header: string }

type IntegrationsPage = {
  integrations: { integration: Integration; projects: number; withheld: number }[]
  more: string | undefined
  presets: string[]
  form: IntegrationForm
}

const COLUMNS: Column[] = [
  { label: 'Name', look: 'long' },
  { label: 'Mode', look: 'short' },
  { label: 'Address', look: 'long' },
  { label: 'Projects', look: 'number' },
  { label: 'Tools', look: 'number' },
]
export const MODE_LABELS: Record<Integration['mode'], string> = {
  'read-only': 'read-only',
  'read-write': 'read-write: gateway_call reaches tools that may write',
}

/** Values of the field `sessions`. */
export const SESSION_OPTIONS = toOptions({
  project: 'one for each project',
  key: 'one for each key: it keeps state that keys must not share',
})

/** The integrations of an account, and the form that adds one. */
export function toIntegrations({ integrations, more, presets, form }: IntegrationsPage): Html {
  const rows = integrations.map(({ integration: { slug, name, mode, url, tools }, projects, withheld }) => [
    html`<a href="${PATH}/${slug}"><bdi>${name}</bdi></a><small class="under"><code>${slug}</code></small>`,
    html`${mode}`,
    html`${url}`,
    html`${projects}`,
    html`${tools === null ? 'all' : tools.length}${withheld > 0 ? html` ${toBadge(`${withheld} withheld`, 'warn')}` : undefined}`,
  ])
  const isEmpty = integrations.length === 0
  const fold = toFold('Add an integration', { actions: [PATH], open: isEmpty }, toAddForm(presets, form))
  return html`<h1>Integrations</h1>
<p>Other MCP servers, whose tools this account’s projects reach with the same keys. Open one to test it, enable it for projects or remove it.</p>
${toListWithFold(toTable('Integrations of the account', COLUMNS, rows, 'No integrations yet.'), fold, isEmpty)}
${toMoreLink(more)}`
}

function toAddForm(presets: string[], form: IntegrationForm): Html {
  return html`<form method="post" action="${PATH}">
${toSelect({ name: 'preset', label: 'Preset', value: form.preset, hint: 'Fills in what is left empty below.' }, [
  { value: '', label: 'none' },
  ...presets.map((name) => ({ value: name, label: name })),
])}
${toField({ name: 'slug', label: 'Slug', value: form.slug, required: true, maxlength: 31, hint: 'Begins the names of its tools: 2 to 31 small letters, digits and hyphens, a letter first.' })}
${toField({ name: 'name', label: 'Name', value: form.name, maxlength: MAX_NAME_CHARACTERS, hint: 'Stands before the titles of its tools.' })}
${toField({ name: 'url', label: 'Address', type: 'url', value: form.url, hint: 'Where it answers, over Streamable HTTP or SSE. Only needed without a preset.' })}
${toSelect({ name: 'mode', label: 'Mode', value: form.mode }, toOptions(MODE_LABELS))}
${toSelect({ name: 'sessions', label: 'Sessions', value: form.sessions }, SESSION_OPTIONS)}
${toCredentialFields(PATH, form.header)}
<div class="actions"><button class="main">Add</button></div>
</form>`
}

/**
 * Fields for the name of a header and the credential sent in it. The credential is never written into a page, so it has to be entered again after a refusal
 * of the form, which posts to `action`.
 */
export function toCredentialFields(action: string, header: string, note = ''): Html {
  return inContext(({ refused }) => {
    const again = refused?.action !== action ? '' : 'Enter it again: it is not kept in the page.'
    const hint = [again, note, 'Kept encrypted and never shown. An Authorization without a scheme is sent as Bearer.']
      .filter((text) => text !== '')
      .join(' ')
    return html`${toField({ name: 'header', label: 'Header of the credential', value: header })}
${toField({ name: 'credential', label: 'Credential', type: 'password', autocomplete: 'new-password', hint })}`
  })
}
