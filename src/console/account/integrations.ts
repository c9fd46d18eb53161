import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { Refusal } from '../../errors.ts'
import { readHeader } from '../../gateway/headers.ts'
import { addIntegration, disableIntegration, enableIntegration, listIntegrations } from '../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../gateway/preset.ts'
import { probeIntegration } from '../../gateway/probe.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import type { Done } from '../done-messages.ts'
import { toField, toFold, toListWithFold, toOptions, toSelect } from '../markup/form.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import { long, numeric, short, toBadge, toCountedTitle, toTable } from '../markup/table.ts'
import type { Answer, Page, PageContent, PageRequest } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import { redirect } from '../response.ts'

const PATH = '/console/integrations'

/** The page of an account's integrations, for owners and admins. */
export const integrations: Page = { path: PATH, show: showIntegrations, forms: { '': add } }

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Answer> {
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
  const added = await addIntegration(service, actor, visitor.account, input)
  const at = `${PATH}/${added.slug}`
  if (!form.has('test')) return redirect(at, 'integration.added')
  const { failure } = await probeIntegration(service, actor, added)
  return redirect(at, failure === undefined ? 'integration.works' : 'integration.fails')
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
async function showIntegrations(req: PageRequest): Promise<PageContent> {
  const { service, visitor, actor } = req
  const all = await listIntegrations(service, actor, visitor.account)
  const { rows, more } = paginate(req, all)
  const withheld = await service.store.control.countWithheldTools(rows.map(({ id }) => id))
  const toRow = async ({ id, slug, name, mode, url, tools }: Integration) => {
    const count = withheld.get(id) ?? 0
    return [
      html`<a href="${PATH}/${slug}"><bdi>${name}</bdi></a><small class="under"><code>${slug}</code></small>`,
      mode,
      url,
      await service.store.control.count('enabledIntegrations', { integrationId: id }),
      html`${tools === null ? 'all' : tools.length}${count > 0 ? html` ${toBadge(`${count} withheld`, 'warn')}` : undefined}`,
    ]
  }
  const columns = [long('Name'), short('Mode'), long('Address'), numeric('Projects'), numeric('Tools')]
  const list = toTable(
    'Integrations of the account',
    columns,
    await Promise.all(rows.map(toRow)),
    'No integrations yet.',
  )
  const isEmpty = rows.length === 0
  const body = html`${toCountedTitle('Integrations', all.length)}
<p>Other MCP servers, whose tools this account’s projects reach with the same keys. Open one to test it, enable it for projects or remove it.</p>
${toListWithFold(list, toFold('Add an integration', { actions: [PATH], open: isEmpty }, ADD_FORM), isEmpty)}
${toPageLink(more, 'More')}`
  return { title: 'Integrations', body }
}

/**
 * Fields for the name of a header and the credential sent in it. The credential is never written into a page, so it has
 * to be entered again after a refusal of the form, which posts to `action`.
 */
export function toCredentialFields(action: string, note = ''): Html {
  return inContext(({ refused }) => {
    const again = refused?.action !== action ? '' : 'Enter it again: it is not kept in the page.'
    const hint = [again, note, 'Kept encrypted and never shown. An Authorization without a scheme is sent as Bearer.']
      .filter((text) => text !== '')
      .join(' ')
    return html`${toField({ name: 'header', label: 'Header of the credential', value: 'Authorization' })}
${toField({ name: 'credential', label: 'Credential', type: 'password', autocomplete: 'new-password', hint })}`
  })
}

const PRESET_OPTIONS = [
  { value: '', label: 'none' },
  ...Object.keys(PRESETS).map((name) => ({ value: name, label: name })),
]

const ADD_FORM = html`<form method="post" action="${PATH}">
${toSelect({ name: 'preset', label: 'Preset', hint: 'Fills in what is left empty below.' }, PRESET_OPTIONS)}
${toField({ name: 'slug', label: 'Slug', required: true, maxlength: 31, hint: 'Begins the names of its tools: 2 to 31 small letters, digits and hyphens, a letter first.' })}
${toField({ name: 'name', label: 'Name', maxlength: MAX_NAME_CHARACTERS, hint: 'Stands before the titles of its tools.' })}
${toField({ name: 'url', label: 'Address', type: 'url', hint: 'Where it answers, over Streamable HTTP or SSE. Only needed without a preset.' })}
${toSelect({ name: 'mode', label: 'Mode', value: 'read-only' }, toOptions(MODE_LABELS))}
${toSelect({ name: 'sessions', label: 'Sessions', value: 'project' }, SESSION_OPTIONS)}
${toCredentialFields(PATH)}
<div class="actions"><button class="main" name="test" value="yes">Add and test</button><button>Add without a test</button></div>
</form>`
