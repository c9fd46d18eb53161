import { Elysia } from 'elysia'
import { listVisibleProjects, requireVisibleProject } from '../../../account/organizations/project-access.ts'
import { toIntegration } from '../../../console/account/integration.ts'
import { readHeader } from '../../../gateway/headers.ts'
import { changeIntegration, removeIntegration, replaceHeaders, requireIntegration } from '../../../gateway/integration.ts'
import { type Probe, probeIntegration, toProbeReport, toProbeText } from '../../../gateway/probe.ts'
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
    .post(`${PATH}/credentials`, action(service, replace, showIntegration), raw)
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
    changes: { review, diffs: await toToolDiffs(review.changes) },
    settings: {
      timeout: typedValue(state, 'timeout', String(integration.timeoutMs / 1000)),
      sessions: typedValue(state, 'sessions', integration.stateful ? 'key' : 'project'),
    },
    header: typedValue(state, 'header', 'Authorization'),
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
  const timeoutMs = Number(form.get('timeout') || Number.NaN) * 1000
  await changeIntegration(req.service, req.actor, integration, { timeoutMs, stateful: form.get('sessions') === 'key' })
  return redirect(`${LIST}/${integration.slug}`, 'integration.changed')
}

async function replace(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  const headers = readHeader(form.get('header') ?? '', form.get('credential') ?? '')
  await replaceHeaders(req.service, req.actor, integration, headers)
  return redirect(`${LIST}/${integration.slug}`, 'integration.credentials')
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await findIntegration(req)
  requireTypedName(form, integration.slug)
  await removeIntegration(req.service, req.actor, integration)
  return redirect(LIST, 'integration.removed')
}
