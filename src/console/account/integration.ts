import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { listVisibleProjects, requireVisibleProject } from '../../account/organizations/project-access.ts'
import { SECOND_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { toAdvice } from '../../gateway/callable.ts'
import { readHeader } from '../../gateway/headers.ts'
import { changeIntegration, removeIntegration, requireIntegration } from '../../gateway/integration.ts'
import { type IntegrationUse, readIntegrationUse } from '../../gateway/integration-use.ts'
import {
  findLastTest,
  type PastTest,
  type Probe,
  type ProbeReport,
  probeIntegration,
  toProbeReport,
  toProbeText,
} from '../../gateway/probe.ts'
import { acceptTools, reviewToolChanges } from '../../gateway/tool-changes.ts'
import { toToolDiffs } from '../../gateway/tool-diff.ts'
import type { Integration } from '../../store/integration.ts'
import { requireTypedName, typedValue } from '../form.ts'
import { toButton, toField, toOptions, toSelect, toTypedRemoval } from '../markup/form.ts'
import { countOf, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { paginate, toMoreLink } from '../paging.ts'
import { toEnableButton, toEnabledBadge } from '../project/settings.ts'
import { type FormState, type PageRequest, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { MODE_LABELS, SESSION_OPTIONS, switchIntegration, toCredentialFields } from './integrations.ts'
import { toToolChanges } from './tool-changes.ts'
import { toDuration, toToolTable } from './tool-table.ts'

const LIST = '/console/integrations'

/** The page of one integration, for owners and admins. */
export const integration = pageOf(findIntegration, {
  path: `${LIST}/:integration`,
  show: (req, state) => showIntegration(req, state),
  forms: {
    '/test': test,
    '/accept': accept,
    '/settings': changeSettings,
    '/projects': change,
    '/tools': changeTools,
    '/remove': remove,
  },
})

type IntegrationRequest = PageRequest & { integration: Integration }

/** The integration of the visitor's account that the path names. */
async function findIntegration({ service, visitor, actor, params }: PageRequest): Promise<{ integration: Integration }> {
  return { integration: await requireIntegration(service, actor, visitor.account, params.integration ?? '') }
}

async function showIntegration(req: IntegrationRequest, state: FormState, probe?: Probe): Promise<Response> {
  const { service, actor, integration } = req
  const { slug, name } = integration
  const path = `${LIST}/${slug}`
  const changes = await reviewToolChanges(service, actor, integration)
  const list = await service.store.control.find('toolLists', { integrationId: integration.id })
  const use = await readIntegrationUse(service, actor, integration)
  const body = html`<p class="back"><a href="${LIST}">All integrations</a></p>
<div class="head"><h1><bdi>${name}</bdi></h1>${toButton(`${path}/test`, 'Test', { about: slug })}</div>
${probe && toReport(toProbeReport(integration, probe))}
${toToolChanges(path, { review: changes, diffs: await toToolDiffs(changes.changes) })}
${toOverview(integration, await findLastTest(service, integration), use)}
${toToolTable(path, { integration, list, withheld: new Set(changes.names), use })}
${await toProjects(req, path)}
${toSettings(path, state, integration)}
<section class="panel"><h2>Remove</h2>
<p>Its tools are gone from every project at the next call, and its credential is forgotten.</p>
${toTypedRemoval(`${path}/remove`, slug, 'Remove')}</section>`
  return toConsolePage(req, state, { title: name, section: LIST, body })
}

/** Shows the report of a test, which is not stored. */
async function test(req: IntegrationRequest): Promise<Response> {
  return showIntegration(req, {}, await probeIntegration(req.service, req.actor, req.integration))
}

async function change(req: IntegrationRequest, form: URLSearchParams): Promise<Response> {
  const { service, integration } = req
  const project = await requireVisibleProject(service, req.visitor, form.get('project') ?? '')
  return redirect(`${LIST}/${integration.slug}`, await switchIntegration(req, integration, project, form))
}

async function accept({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Response> {
  const seen = form.get('seen') ?? ''
  await acceptTools(service, actor, integration, { seen, tool: form.get('tool') ?? undefined })
  return redirect(`${LIST}/${integration.slug}`, 'integration.accepted')
}

async function changeSettings({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name)?.trim() ?? ''
  const credential = field('credential')
  await changeIntegration(service, actor, integration, {
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
async function changeTools({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Response> {
  const on = form.getAll('tool')
  const list = await service.store.control.find('toolLists', { integrationId: integration.id })
  const known = [...(list?.tools ?? []), ...(list?.unpicked ?? [])]
  const areAllOn = known.length > 0 && known.every(({ name }) => on.includes(name))
  await changeIntegration(service, actor, integration, { tools: areAllOn ? null : on })
  return redirect(`${LIST}/${integration.slug}`, 'integration.changed')
}

async function remove({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, integration.slug)
  await removeIntegration(service, actor, integration)
  return redirect(LIST, 'integration.removed')
}

const PROJECT_COLUMNS: Column[] = [{ label: 'Project', look: 'long' }, { label: 'State' }, ACTIONS_COLUMN]

function toOverview(integration: Integration, lastTest: PastTest | undefined, use: IntegrationUse): Html {
  const { slug, url, mode, timeoutMs, maxBytes, stateful, createdAt } = integration
  const { calls, errors, p95Ms } = use.all
  return toFacts([
    ['Slug', html`<code>${slug}</code>`],
    ['Address', url],
    ['Mode', mode],
    ['Last test', lastTest === undefined ? 'none lately' : toLastTest(integration, lastTest)],
    [
      'Last 7 days',
      calls === 0
        ? 'no calls'
        : html`${countOf(calls, 'call')}, ${countOf(errors, 'error')}<small>95th percentile ${toDuration(p95Ms)}</small>`,
    ],
    ['Timeout', `${timeoutMs / 1000} s`],
    ['Sessions with it', stateful ? 'one for each key' : 'one for each project'],
    ['Largest answer', toSize(maxBytes)],
    ['Created', toExactTime(createdAt)],
  ])
}

function toLastTest(integration: Integration, { at, milliseconds, failure }: PastTest): Html {
  if (failure === undefined) return html`${toBadge('works', 'good')} ${toTime(at)}<small>${milliseconds} ms</small>`
  return html`${toBadge('does not work', 'bad')} ${toTime(at)}<small>${toAdvice(failure, integration) ?? failure}</small>`
}

function toSettings(path: string, state: FormState, { name, url, mode, timeoutMs, stateful }: Integration): Html {
  const typed = (field: string, stored: string) => typedValue(state, field, stored)
  const timeout = typed('timeout', String(timeoutMs / SECOND_MS))
  return html`<section class="panel"><h2>Settings</h2>
<p class="quiet">They apply from the next call on. Enter the credential again when you change the address: another server never gets the old one.</p>
<form method="post" action="${path}/settings">
${toField({ name: 'name', label: 'Name', value: typed('name', name), required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'Stands before the titles of its tools.' })}
${toField({ name: 'url', label: 'Address', type: 'url', value: typed('url', url), required: true })}
${toSelect({ name: 'mode', label: 'Mode', value: typed('mode', mode) }, toOptions(MODE_LABELS))}
${toField({ name: 'timeout', label: 'Seconds in which it must answer or report progress', type: 'number', value: timeout, required: true })}
${toSelect({ name: 'sessions', label: 'Sessions', value: typed('sessions', stateful ? 'key' : 'project'), hint: 'A session of one’s own is for what it remembers, such as an open browser.' }, SESSION_OPTIONS)}
${toCredentialFields(`${path}/settings`, typed('header', 'Authorization'), 'Left empty, the present one stays.')}
<div class="actions"><button class="main">Save</button></div>
</form></section>`
}

function toReport(shown: ProbeReport): Html {
  return html`<div role="status"><p>${shown.works ? toBadge('works', 'good') : toBadge('does not work', 'bad')}</p>
<pre class="content">${toProbeText(shown)}</pre></div>`
}

async function toProjects({ service, visitor, url, integration }: IntegrationRequest, path: string): Promise<Html> {
  const switched = await service.store.control.list('enabledIntegrations', { integrationId: integration.id })
  const enabled = switched.map(({ projectId }) => projectId)
  const { rows: projects, more } = paginate(url, path, await listVisibleProjects(service, visitor))
  const rows = projects.map(({ id, name }) => [
    html`<a href="/console/projects/${id}/settings"><bdi>${name}</bdi></a>`,
    toEnabledBadge(enabled.includes(id)),
    toEnableButton(`${path}/projects`, enabled.includes(id), { project: id }, name),
  ])
  return html`<section><h2>Projects</h2>
<p class="quiet">Where it is enabled, every key of the project reaches its tools, from the next call on. Hosted assistants do not.</p>
${toTable('Projects of the account', PROJECT_COLUMNS, rows, 'No projects yet.')}
${toMoreLink(more)}
</section>`
}
