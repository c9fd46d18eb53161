import { Elysia } from 'elysia'
import { requireManager } from '../../../account/auth/authorize.ts'
import { listVisibleProjects, requireVisibleProject } from '../../../account/organizations/visible-projects.ts'
import { toIntegration } from '../../../console/account/integration.ts'
import { readHeader } from '../../../gateway/headers.ts'
import { type Inspection, inspect } from '../../../gateway/inspect.ts'
import { removeIntegration, replaceHeaders, requireIntegration } from '../../../gateway/integration.ts'
import { toInspectionText, toShownInspection } from '../../../gateway/report.ts'
import type { Service } from '../../../service.ts'
import type { Integration } from '../../../store/integration.ts'
import { requireTyped } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { toPaged } from '../paging.ts'
import { switchIntegration } from '../switch-integration.ts'

const LIST = '/console/integrations'
const PATH = `${LIST}/:integration`

/** One integration of the account, for those who manage it. */
export function integration(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/integration' })
    .get(PATH, page(service, showIntegration))
    .post(`${PATH}/test`, action(service, test, showIntegration), raw)
    .post(`${PATH}/projects`, action(service, change, showIntegration), raw)
    .post(`${PATH}/credentials`, action(service, replace, showIntegration), raw)
    .post(`${PATH}/remove`, action(service, remove, showIntegration), raw)
}

/** The integration of the visitor's account that the path names. */
async function manage({ service, visitor, params }: PageRequest): Promise<Integration> {
  requireManager(visitor)
  return requireIntegration(service, visitor.account, params.integration ?? '')
}

async function showIntegration(visit: PageRequest, said: FormState): Promise<Response> {
  return toIntegrationPage(visit, said, await manage(visit))
}

async function toIntegrationPage(
  visit: PageRequest,
  said: FormState,
  integration: Integration,
  inspection?: Inspection,
): Promise<Response> {
  const { service, visitor, url } = visit
  const enabled = await service.store.control.listEnabledProjects(integration.id)
  const { rows, more } = toPaged(url, `${LIST}/${integration.slug}`, await listVisibleProjects(service, visitor))
  const shown = inspection && toShownInspection(integration, inspection)
  const body = toIntegration({
    integration,
    projects: rows.map((project) => ({ ...project, enabled: enabled.includes(project.id) })),
    more,
    report: shown && { shown, text: toInspectionText(shown) },
    header: said.given?.get('header') ?? 'Authorization',
  })
  return toConsolePage(visit, said, { title: integration.name, section: LIST, body })
}

/** The report is the answer to the form: nothing keeps it. */
async function test(visit: PageRequest): Promise<Response> {
  const integration = await manage(visit)
  return toIntegrationPage(visit, {}, integration, await inspect(visit.service, integration))
}

async function change(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await manage(visit)
  const project = await requireVisibleProject(visit.service, visit.visitor, form.get('project') ?? '')
  return redirect(`${LIST}/${integration.slug}`, await switchIntegration(visit, integration, project, form))
}

async function replace(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await manage(visit)
  const headers = readHeader(form.get('header') ?? '', form.get('credential') ?? '')
  await replaceHeaders(visit.service, integration, headers, visit.by)
  return redirect(`${LIST}/${integration.slug}`, 'integration.credentials')
}

async function remove(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const integration = await manage(visit)
  requireTyped(form, integration.slug)
  await removeIntegration(visit.service, integration, visit.by)
  return redirect(LIST, 'integration.removed')
}
