import { Elysia } from 'elysia'
import { type IntegrationForm, toIntegrations } from '../../../console/account/integrations.ts'
import type { Done } from '../../../console/done-messages.ts'
import { Refusal } from '../../../errors.ts'
import { readHeader } from '../../../gateway/headers.ts'
import { addIntegration, disableIntegration, enableIntegration, listIntegrations } from '../../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../../gateway/preset.ts'
import type { Service } from '../../../service.ts'
import type { Project } from '../../../store/account.ts'
import type { Integration } from '../../../store/integration.ts'
import { typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { paginate } from '../paging.ts'

const PATH = '/console/integrations'

/** The page of an account's integrations, for owners and admins. */
export function integrations(service: Service) {
  return new Elysia({ name: 'console/integrations' })
    .get(PATH, page(service, showIntegrations))
    .post(PATH, action(service, add, showIntegrations), { parse: 'none' })
}

async function showIntegrations(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, actor, url } = req
  const { rows, more } = paginate(url, PATH, await listIntegrations(service, actor, visitor.account))
  const withheld = await service.store.control.countWithheldTools(rows.map(({ id }) => id))
  const count = async (id: string) => (await service.store.control.listEnabledProjects(id)).length
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
