import { Elysia } from 'elysia'
import { listVisibleProjects, requireVisibleProject } from '../../../account/organizations/project-access.ts'
import { SECOND_MS } from '../../../clock.ts'
import { type IntegrationSettings, toIntegration } from '../../../console/account/integration.ts'
import { Refusal } from '../../../errors.ts'
import { readHeader } from '../../../gateway/headers.ts'
import { changeIntegration, removeIntegration, requireIntegration } from '../../../gateway/integration.ts'
import { readIntegrationUse } from '../../../gateway/integration-use.ts'
import { findLastTest, type Probe, probeIntegration, toProbeReport, toProbeText } from '../../../gateway/probe.ts'
import { acceptTools, reviewToolChanges } from '../../../gateway/tool-changes.ts'
import { toToolDiffs } from '../../../gateway/tool-diff.ts'
import type { Service } from '../../../service.ts'
import type { Integration } from '../../../store/integration.ts'
import { requireTypedName, typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { paginate } from '../paging.ts'
import { switchIntegration } from './integrations.ts'

const LIST = '/console/integrations'
const PATH = `${LIST}/:integration`

/** The page of one integration, for owners and admins. */
export function integration(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/integration' })
    .get(PATH, page(service, showIntegration))
    .post(`${PATH}/test`, action(service, test, showIntegration), raw)
    .post(`${PATH}/accept`, action(service, accept, showIntegration), raw)
    .post(`${PATH}/settings`, action(service, changeSettings, showIntegration), raw)
    .post(`${PATH}/projects`, action(service, change, showIntegration), raw)
    .post(`${PATH}/tools`, action(service, changeTools, showIntegration), raw)
    .post(`${PATH}/remove`, action(service, remove, showIntegration), raw)
}

/** The integration of the visitor's account that the path names. */
function findIntegration({ service, visitor, actor, params }: PageRequest): Promise<Integration> {
  return requireIntegration(service, actor, visitor.account, params.integration ?? '')
}

async function showIntegration(req: PageRequest, state: FormState): Promise<Response> {
  return toIntegrationPage(req, state, await findIntegration(req))
}

async function toIntegrationPage(req: PageRequest, state: FormState, integration: Integration, probe?: Probe): Promise<Response> {
  const { service, visitor, actor, url } = req
  const enabled = await service.store.control.listEnabledProjects(integration.id)
  const { rows, more } = paginate(url, `${LIST}/${integration.slug}`, await listVisibleProjects(service, visitor))
  const review = await reviewToolChanges(service, actor, integration)
  const shown = probe && toProbeReport(integration, probe)
  const body = toIntegration({
    integration,
    projects: rows.map((project) => ({ ...project, enabled: enabled.includes(project.id) })),
    more,
    report: shown && { shown, text: toProbeText(shown) },
    lastTest: await findLastTest(service, integration),
    list: await service.store.control.findToolList(integration.id),
    use: await readIntegrationUse(service, actor, integration),
    changes: { review, diffs: await toToolDiffs(review.changes) },
    settings: toSettings(state, integration),
  })
  return toConsolePage(req, state, { title: integration.name, section: LIST, body })
}

/** Shows the report of a test, which is not stored. */
async function test(req: PageRequest): Promise<Response> {
  const integration = await findIntegration(req)
  return toIntegrationPage(req, {}, integration, await probeIntegration(req.service, req.actor, integration))
}

async function change(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  const project = await requireVisibleProject(req.service, req.visitor, form.get('project') ?? '')
  return redirect(`${LIST}/${integration.slug}`, await switchIntegration(req, integration, project, form))
}

async function accept(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  const seen = form.get('seen') ?? ''
  await acceptTools(req.service, req.actor, integration, { seen, tool: form.get('tool') ?? undefined })
  return redirect(`${LIST}/${integration.slug}`, 'integration.accepted')
}

async function changeSettings(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  const field = (name: string) => form.get(name)?.trim() ?? ''
  const credential = field('credential')
  await changeIntegration(req.service, req.actor, integration, {
    name: form.get('name') ?? undefined,
    url: form.get('url') ?? undefined,
    mode: readMode(field('mode')),
    timeoutMs: Number(field('timeout') || Number.NaN) * SECOND_MS,
    stateful: field('sessions') === 'key',
    ...(credential !== '' && { headers: readHeader(field('header'), credential) }),
  })
  return redirect(`${LIST}/${integration.slug}`, 'integration.changed')
}

function readMode(text: string): Integration['mode'] {
  if (text === 'read-only' || text === 'read-write') return text
  throw new Refusal('choose a mode', 'mode')
}

/** Switches tools on and off. If all known tools are on, future ones are too. */
async function changeTools(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  const on = form.getAll('tool')
  const list = await req.service.store.control.findToolList(integration.id)
  const known = [...(list?.tools ?? []), ...(list?.unpicked ?? [])]
  const areAllOn = known.length > 0 && known.every(({ name }) => on.includes(name))
  await changeIntegration(req.service, req.actor, integration, { tools: areAllOn ? null : on })
  return redirect(`${LIST}/${integration.slug}`, 'integration.changed')
}

/** The typed values, except the credential. */
function toSettings(state: FormState, { name, url, mode, timeoutMs, stateful }: Integration): IntegrationSettings {
  return {
    name: typedValue(state, 'name', name),
    url: typedValue(state, 'url', url),
    mode: typedValue(state, 'mode', mode),
    timeout: typedValue(state, 'timeout', String(timeoutMs / SECOND_MS)),
    sessions: typedValue(state, 'sessions', stateful ? 'key' : 'project'),
    header: typedValue(state, 'header', 'Authorization'),
  }
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  requireTypedName(form, integration.slug)
  await removeIntegration(req.service, req.actor, integration)
  return redirect(LIST, 'integration.removed')
}
