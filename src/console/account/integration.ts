import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { listVisibleProjects, requireVisibleProject } from '../../account/organizations/project-access.ts'
import { explainReason } from '../../account/usage/call-reasons.ts'
import { SECOND_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { toAdvice } from '../../gateway/callable.ts'
import { changeIntegration, switchTools } from '../../gateway/change-integration.ts'
import { readHeader } from '../../gateway/headers.ts'
import { removeIntegration, requireIntegration } from '../../gateway/integration.ts'
import { type IntegrationUse, readIntegrationUse } from '../../gateway/integration-use.ts'
import { toListedTools } from '../../gateway/listed-tool.ts'
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
import type { Integration, ToolList } from '../../store/integration.ts'
import { pickChanged, readChanged, requireTypedName } from '../form.ts'
import { FORM_ID, SHOWN, toButton, toField, toOptions, toSelect, toShown, toTypedRemoval } from '../markup/form.ts'
import { countOf, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, toBadge, toCountedHeading, toFacts, toTable } from '../markup/table.ts'
import { type Answer, done, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { paginate, toPageLink, toQueryPath } from '../paging.ts'
import { ALL_CALLS } from '../project/calls.ts'
import { toEnableButton, toEnabledBadge } from '../project/settings.ts'
import { redirect, redirectUndoable, type Undoing, undoable } from '../response.ts'
import { MODE_LABELS, SESSION_OPTIONS, switchIntegration, toCredentialFields } from './integrations.ts'
import { SHOWN_TOOL, toDuration, toToolChanges, toToolTable } from './tool-table.ts'

const LIST = '/console/integrations'

/** The page of one integration, for owners and admins. */
export const integration = pageOf(findIntegration, {
  path: `${LIST}/:integration`,
  show: (req) => showIntegration(req),
  forms: {
    // The report of a test is shown, and not stored.
    '/test': async (req) => showIntegration(req, await probeIntegration(req.service, req.actor, req.integration)),
    '/accept': done('integration.accepted', ({ service, actor, integration }, form) =>
      acceptTools(service, actor, integration, { seen: form.get('seen') ?? '', tool: form.get('tool') ?? undefined }),
    ),
    '/settings': undoable('integration.changed', changeSettings, toOldSettings),
    '/projects': change,
    '/tools': changeTools,
    '/remove': remove,
  },
})

type IntegrationRequest = PageRequest & { integration: Integration }

/** The integration of the visitor's account that the path names. */
async function findIntegration({ service, visitor, actor, params }: PageRequest) {
  return { integration: await requireIntegration(service, actor, visitor.account, params.integration ?? '') }
}

async function showIntegration(req: IntegrationRequest, probe?: Probe): Promise<PageContent> {
  const { service, actor, integration } = req
  const { slug, name } = integration
  const at = `${LIST}/${slug}`
  const changes = await reviewToolChanges(service, actor, integration)
  const list = await service.store.control.find('toolLists', { integrationId: integration.id })
  const use = await readIntegrationUse(service, actor, integration)
  const projects = await toProjects(req, at)
  const body = html`<p class="back"><a href="${LIST}">All integrations</a></p>
<div class="head"><h1><bdi>${name}</bdi></h1>${toButton(`${at}/test`, 'Test', { about: slug })}</div>
${probe && toReport(toProbeReport(integration, probe))}
${toToolChanges(at, changes, await toToolDiffs(changes.changes))}
${toOverview(integration, { lastTest: await findLastTest(service, integration), use, characters: list && (await countListed(integration, list)) })}
${projects.isEnabled ? undefined : projects.section}
${toToolTable(at, { integration, list, withheld: new Set(changes.names), use })}
${projects.isEnabled ? projects.section : undefined}
${toSettings(`${at}/settings`, integration)}
<section class="panel"><h2>Remove</h2>
<p>Its tools disappear from every project with the next call, and its credential is erased.</p>
${toTypedRemoval(`${at}/remove`, slug, 'Remove')}</section>`
  return { title: name, section: LIST, body }
}

async function change(req: IntegrationRequest, form: URLSearchParams): Promise<Answer> {
  const project = await requireVisibleProject(req.service, req.visitor, form.get('project') ?? '')
  return switchIntegration(req, req.integration, project, form)
}

async function changeSettings(
  { service, actor, integration }: IntegrationRequest,
  form: URLSearchParams,
): Promise<void> {
  const changed = readChanged(form)
  const field = (name: string) => changed.get(name)?.trim()
  const [mode, timeout, sessions, credential] = [
    field('mode'),
    field('timeout'),
    field('sessions'),
    field('credential'),
  ]
  // A credential is meant for the server that the page named.
  if (credential && (form.get(`${SHOWN}url`) ?? integration.url) !== integration.url)
    throw new Refusal('somebody changed the address since this page was made; open the page again', 'credential')
  await changeIntegration(service, actor, integration, {
    name: field('name'),
    url: field('url'),
    mode: mode === undefined ? undefined : readMode(mode),
    timeoutMs: timeout === undefined ? undefined : Number(timeout || Number.NaN) * SECOND_MS,
    stateful: sessions === undefined ? undefined : sessions === 'key',
    ...(credential && { headers: readHeader(form.get('header')?.trim() ?? '', credential) }),
  })
}

/** Undefined if the credential is given anew, or belongs to the server of another address: the old one is not kept. */
function toOldSettings({ integration }: IntegrationRequest, form: URLSearchParams): Undoing | undefined {
  const changed = readChanged(form)
  const { url } = integration
  const isElsewhere = URL.parse(changed.get('url') ?? url)?.origin !== new URL(url).origin
  if (isElsewhere || form.get('credential')?.trim()) return undefined
  return { fields: pickChanged(changed, toShownSettings(integration)) }
}

const toShownSettings = ({ name, url, mode, timeoutMs, stateful }: Integration) => ({
  name,
  url,
  mode,
  timeout: String(timeoutMs / SECOND_MS),
  sessions: stateful ? 'key' : 'project',
})

function readMode(text: string): Integration['mode'] {
  if (text === 'read-only' || text === 'read-write') return text
  throw new Refusal('choose a mode', 'mode')
}

/** Switches the tools that were switched since the page was made; the undo switches the same ones back. */
async function changeTools(req: IntegrationRequest, form: URLSearchParams): Promise<Answer> {
  const [ticked, shown] = [new Set(form.getAll('tool')), new Set(form.getAll(SHOWN_TOOL))]
  const [on, off] = [ticked.difference(shown), shown.difference(ticked)]
  await switchTools(req.service, req.actor, req.integration, { on, off })
  const fields = (name: string, tools: Set<string>) => [...tools].map((tool): [string, string] => [name, tool])
  return redirectUndoable(req, 'integration.switched', { fields: [...fields('tool', off), ...fields(SHOWN_TOOL, on)] })
}

/** The characters that its tools add to what assistants read at the beginning of a session. */
async function countListed(integration: Integration, { tools, accepted }: ToolList): Promise<number> {
  const { shown } = await toListedTools(integration, tools, accepted)
  return shown.dotted.reduce((sum, { json }) => sum + json.length, 0)
}

async function remove({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, integration.slug)
  await removeIntegration(service, actor, integration)
  return redirect(LIST, 'integration.removed')
}

type Overview = { lastTest: PastTest | undefined; use: IntegrationUse; characters: number | undefined }

function toOverview(integration: Integration, { lastTest, use, characters }: Overview): Html {
  const { slug, url, mode, timeoutMs, maxBytes, stateful, createdAt } = integration
  const { calls, errors, p95Ms } = use.all
  return toFacts([
    ['Slug', html`<code>${slug}</code>`],
    ['Address', url],
    ['Mode', mode],
    ['Added to each session', characters === undefined ? undefined : countOf(characters, 'character')],
    ['Last test', lastTest === undefined ? 'none known' : toLastTest(integration, lastTest)],
    [
      'Last 7 days',
      calls === 0
        ? 'no calls'
        : html`${countOf(calls, 'call')}, ${errors === 0 ? 'no errors' : html`<a href="${toQueryPath(ALL_CALLS, { integration: slug })}">${countOf(errors, 'error')}</a>`}<small>95th percentile ${toDuration(p95Ms)}</small>`,
    ],
    ['Timeout', `${timeoutMs / 1000} s`],
    ['Sessions', stateful ? 'one for each key' : 'one for each project'],
    ['Largest answer', toSize(maxBytes)],
    ['Created', toExactTime(createdAt)],
  ])
}

function toLastTest(integration: Integration, { at, milliseconds, failure }: PastTest): Html {
  if (failure === undefined) return html`${toBadge('works', 'good')} ${toTime(at)}<small>${milliseconds} ms</small>`
  const { why } = explainReason(`integration.${failure}`)
  return html`${toBadge('does not work', 'bad')} ${toTime(at)}<small>${[why, toAdvice(failure, integration)].filter(Boolean).join('; ')}</small>`
}

function toSettings(action: string, integration: Integration): Html {
  const shown = toShownSettings(integration)
  return html`<section class="panel"><h2>Settings</h2>
<p class="quiet">Changes apply from the next call on. If you change the address, enter the credential again: the old one is never sent to another server.</p>
<form method="post" action="${action}">${FORM_ID}${toShown(shown)}
${toField({ name: 'name', label: 'Name', value: shown.name, required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'The prefix of its tool titles.' })}
${toField({ name: 'url', label: 'Address', type: 'url', value: shown.url, required: true })}
${toSelect({ name: 'mode', label: 'Mode', value: shown.mode }, toOptions(MODE_LABELS))}
${toField({ name: 'timeout', label: 'Timeout in seconds', type: 'number', value: shown.timeout, required: true, hint: 'In which the server must answer or report progress.' })}
${toSelect({ name: 'sessions', label: 'Sessions', value: shown.sessions }, SESSION_OPTIONS)}
${toCredentialFields(action, 'Leave it empty to keep the present one.')}
<div class="actions"><button class="main">Save</button></div>
</form></section>`
}

function toReport(shown: ProbeReport): Html {
  return html`<div role="status"><p>${shown.works ? toBadge('works', 'good') : toBadge('does not work', 'bad')}</p>
<pre class="content">${toProbeText(shown)}</pre></div>`
}

/** The section of the projects, and whether the integration is enabled for any. */
async function toProjects(req: IntegrationRequest, at: string) {
  const { service, visitor, integration, url } = req
  const switched = await service.store.control.list('enabledIntegrations', { integrationId: integration.id })
  const enabled = switched.map(({ projectId }) => projectId)
  const all = await listVisibleProjects(service, visitor)
  const { rows: projects, more } = paginate({ url, at }, all)
  const rows = projects.map(({ id, name }) => [
    html`<a href="/console/projects/${id}/settings"><bdi>${name}</bdi></a>`,
    toEnabledBadge(enabled.includes(id)),
    toEnableButton(`${at}/projects`, enabled.includes(id), { project: id }, name),
  ])
  const section = html`<section>${toCountedHeading('Projects', all.length)}
<p class="quiet">Where it is enabled, every key of the project can call its tools from the next call on; hosted assistants cannot.</p>
${toTable('Projects of the account', [long('Project'), 'State', ACTIONS], rows, 'No projects yet.')}
${toPageLink(more, 'More')}
</section>`
  return { section, isEnabled: enabled.length > 0 }
}
