import { listVisibleProjects, requireVisibleProject } from '../../account/organizations/project-access.ts'
import { explainReason } from '../../account/usage/call-reasons.ts'
import { toAdvice } from '../../gateway/callable.ts'
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
import { measureListed } from '../../gateway/tool-lines.ts'
import type { Integration } from '../../store/integration.ts'
import { requireTypedName } from '../form.ts'
import { toButton, toTypedRemoval } from '../markup/form.ts'
import { countOf, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, toBadge, toCountedHeading, toFacts, toTable } from '../markup/table.ts'
import { type Answer, done, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { paginate, toPageLink, toQueryPath } from '../paging.ts'
import { ALL_CALLS } from '../project/calls.ts'
import { toEnableButton, toEnabledBadge } from '../project/settings.ts'
import { redirect, undoable } from '../response.ts'
import { changeSettings, type IntegrationRequest, toOldSettings, toSettings } from './integration-settings.ts'
import { switchIntegration } from './integrations.ts'
import { changeTools, toDuration, toToolChanges, toToolTable } from './tool-table.ts'

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
  const listed = list && (await toListedTools(integration, list.tools, list.accepted))
  const use = await readIntegrationUse(service, actor, integration)
  const projects = await toProjects(req, at)
  const body = html`<p class="back"><a href="${LIST}">All integrations</a></p>
<div class="head"><h1><bdi>${name}</bdi></h1>${toButton(`${at}/test`, 'Test', { about: slug })}</div>
${probe && toReport(toProbeReport(integration, probe))}
${toToolChanges(at, changes, await toToolDiffs(changes.changes))}
${toOverview(integration, { lastTest: await findLastTest(service, integration), use, characters: listed && measureListed(listed).characters })}
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

async function remove({ service, actor, integration }: IntegrationRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, integration.slug)
  await removeIntegration(service, actor, integration)
  return redirect(LIST, 'integration.removed')
}

/** `characters` are those that its tools add to what assistants read at the beginning of a session. */
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
