import { Elysia } from 'elysia'
import { requireManager } from '../../../account/auth/authorize.ts'
import { type IntegrationForm, toIntegrations } from '../../../console/account/integrations.ts'
import { Refusal } from '../../../errors.ts'
import { readHeader } from '../../../gateway/headers.ts'
import { addIntegration } from '../../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../../gateway/preset.ts'
import type { Service } from '../../../service.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { paginate } from '../paging.ts'

const PATH = '/console/integrations'

/** The servers that an account connects, for those who manage it. */
export function integrations(service: Service) {
  return new Elysia({ name: 'console/integrations' })
    .get(PATH, page(service, showIntegrations))
    .post(PATH, action(service, add, showIntegrations), { parse: 'none' })
}

async function showIntegrations(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, actor, url } = req
  requireManager(actor, visitor.account.id)
  const { control } = service.store
  const { rows, more } = paginate(url, PATH, await control.listIntegrations(visitor.account.id))
  const count = async (id: string) => (await control.listEnabledProjects(id)).length
  const listed = await Promise.all(rows.map(async (integration) => ({ integration, projects: await count(integration.id) })))
  const body = toIntegrations({ integrations: listed, more, presets: Object.keys(PRESETS), form: toForm(state) })
  return toConsolePage(req, state, { title: 'Integrations', section: PATH, body })
}

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  requireManager(actor, visitor.account.id)
  const said = (name: string) => form.get(name)?.trim() || undefined
  const credential = said('credential')
  const wish = withPreset(said('preset') ?? '', {
    slug: said('slug') ?? '',
    url: said('url'),
    name: said('name'),
    mode: said('mode') === 'read-write' ? 'read-write' : 'read-only',
    headers: credential === undefined ? {} : readHeader(said('header') ?? '', credential),
  })
  if (wish === undefined) throw new Refusal('give a URL, or choose a preset')
  const { slug } = await addIntegration(service, visitor.account, wish, actor)
  return redirect(`${PATH}/${slug}`, 'integration.added')
}

/** What was typed, except the credential. */
function toForm({ fields }: FormState): IntegrationForm {
  const said = (name: string, otherwise = '') => fields?.get(name) ?? otherwise
  return {
    preset: said('preset'),
    slug: said('slug'),
    name: said('name'),
    url: said('url'),
    mode: said('mode', 'read-only'),
    header: said('header', 'Authorization'),
  }
}
