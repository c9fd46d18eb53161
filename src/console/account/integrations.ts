import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { Refusal } from '../../errors.ts'
import { toAdvice } from '../../gateway/callable.ts'
import { readHeader } from '../../gateway/headers.ts'
import {
  describeIntegration,
  disableIntegration,
  enableIntegration,
  listIntegrations,
  storeIntegration,
} from '../../gateway/integration.ts'
import type { Failure } from '../../gateway/messages.ts'
import { PRESETS, withPreset } from '../../gateway/preset.ts'
import { probeIntegration } from '../../gateway/probe.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import { FORM_ID, toField, toOptions, toSelect } from '../markup/form.ts'
import { html } from '../markup/html.ts'
import {
  long,
  numeric,
  sameOptions,
  short,
  toBadge,
  toCountedTitle,
  toFold,
  toListWithFold,
  toTable,
} from '../markup/table.ts'
import type { Answer, Page, PageContent, PageRequest } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import { redirectUndoable } from '../response.ts'
import { MODE_LABELS, SESSION_OPTIONS, toCredentialFields } from './integration-settings.ts'

const PATH = '/console/integrations'

/** The page of an account's integrations, for owners and admins. */
export const integrations: Page = { path: PATH, show: showIntegrations, forms: { '': add } }

async function add(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor } = req
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
  if (input === undefined) throw new Refusal('enter an address, or choose a preset', 'url')
  const described = await describeIntegration(service, actor, visitor.account, input)
  const probe = form.has('test') ? await probeIntegration(service, actor, described) : undefined
  if (probe?.failure !== undefined) throw new Refusal(toFailureText(probe.failure, described))
  await storeIntegration(service, actor, described, probe?.list)
  const at = `${PATH}/${described.slug}`
  const undoing = { action: `${at}/remove`, fields: { typed: described.slug } }
  return redirectUndoable(req, probe === undefined ? 'integration.added' : 'integration.works', undoing, at)
}

function toFailureText({ kind, text }: Failure, integration: Integration): string {
  const advice = toAdvice(kind, integration)
  return `nothing was added, because the test failed: ${text}${advice === undefined ? '' : `; ${advice}`}`
}

/** Enables or disables an integration for a project, by the field `enabled`. */
export async function switchIntegration(
  req: PageRequest,
  integration: Integration,
  project: Project,
  form: URLSearchParams,
): Promise<Answer> {
  const { service, actor } = req
  const enable = form.get('enabled') === 'yes'
  await (enable ? enableIntegration : disableIntegration)(service, actor, { integration, project })
  const fields = { project: project.id, integration: integration.id, enabled: enable ? 'no' : 'yes' }
  return redirectUndoable(req, enable ? 'integration.enabled' : 'integration.disabled', { fields })
}

/** The form that adds an integration is open below a list that is no longer. */
const MAX_SHORT_LIST = 5

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
  const isShort = rows.length <= MAX_SHORT_LIST
  const body = html`${toCountedTitle('Integrations', all.length)}
<p>Other MCP servers, whose tools assistants call through this service with the same keys. Open one to test it, enable it for projects, switch tools off or remove it.</p>
${toListWithFold(list, toFold('Add an integration', { actions: [PATH], open: isShort }, ADD_FORM), isShort)}
${toPageLink(more, 'More')}`
  return { title: 'Integrations', body }
}

const PRESET_OPTIONS = [{ value: '', label: 'none' }, ...sameOptions(Object.keys(PRESETS))]

const ADD_FORM = html`<form method="post" action="${PATH}">${FORM_ID}
${toSelect({ name: 'preset', label: 'Preset', hint: 'Fills in what is left empty below.' }, PRESET_OPTIONS)}
${toField({ name: 'slug', label: 'Slug', required: true, maxlength: 31, hint: 'The prefix of its tool names: 2 to 31 lower-case letters, digits and hyphens, a letter first.' })}
${toField({ name: 'name', label: 'Name', maxlength: MAX_NAME_CHARACTERS, hint: 'The prefix of its tool titles.' })}
${toField({ name: 'url', label: 'Address', type: 'url', hint: 'Its URL for Streamable HTTP or SSE. A preset has one.' })}
${toSelect({ name: 'mode', label: 'Mode', value: 'read-only' }, toOptions(MODE_LABELS))}
${toSelect({ name: 'sessions', label: 'Sessions', value: 'project' }, SESSION_OPTIONS)}
${toCredentialFields(PATH)}
<div class="actions"><button class="main" name="test" value="yes">Test and add</button><button>Add without a test</button></div>
</form>`
