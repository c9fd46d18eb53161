import type { ProbeReport } from '../../gateway/probe.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import { toButton, toField, toSelect, toTypedRemoval } from '../markup/form.ts'
import { toExactTime, toSize } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { toEnableButton, toEnabledBadge } from '../project/settings.ts'
import { SESSION_OPTIONS, toCredentialFields } from './integrations.ts'
import { type ShownChanges, toToolChanges } from './tool-changes.ts'

type IntegrationPage = {
  integration: Integration
  projects: (Project & { enabled: boolean })[]
  more: string | undefined
  /** The result of the test that the page answers, and the same as text. */
  report: { shown: ProbeReport; text: string } | undefined
  changes: ShownChanges
  /** The values of the form of settings. */
  settings: { timeout: string; sessions: string }
  /** The header's name in the form that replaces a credential. */
  header: string
}

const PROJECT_COLUMNS: Column[] = [{ label: 'Project' }, { label: 'Here' }, ACTIONS_COLUMN]

/** One integration: its settings, a test of it, its tools that are withheld, its projects, its credential and its removal. */
export function toIntegration({ integration, projects, more, report, changes, settings, header }: IntegrationPage): Html {
  const { slug, name, url, mode, tools, timeoutMs, maxBytes, stateful, createdAt } = integration
  const path = `/console/integrations/${slug}`
  return html`<p class="back"><a href="/console/integrations">All integrations</a></p>
<h1><bdi>${name}</bdi></h1>
${toFacts([
  ['Slug', html`<code>${slug}</code>`],
  ['URL', url],
  ['Mode', mode],
  ['Tools used', tools === null ? 'all' : tools.join(', ')],
  ['Time for an answer or progress', `${timeoutMs / 1000} s`],
  ['Sessions with it', stateful ? 'one for each key' : 'one for each project'],
  ['Largest answer', toSize(maxBytes)],
  ['Created', toExactTime(createdAt)],
])}
<section class="panel"><h2>Test</h2>
<p>Asks its server for its tools, and says which of them are used.</p>
${report && toReport(report)}
<div class="actions">${toButton(`${path}/test`, 'Test', { about: slug })}</div>
</section>
${toToolChanges(path, changes)}
${toProjects(path, projects, more)}
<section class="panel"><h2>Settings</h2>
<form method="post" action="${path}/settings">
${toField({ name: 'timeout', label: 'Seconds in which it must answer or report progress', type: 'number', value: settings.timeout, required: true })}
${toSelect({ name: 'sessions', label: 'Sessions', value: settings.sessions, hint: 'What it remembers of one session, such as an open browser, no other sees.' }, SESSION_OPTIONS)}
<div class="actions"><button class="main">Save</button></div>
</form></section>
<section class="panel"><h2>Credential</h2>
<p>Gives a header a new value, from the next call on; other headers stay as they are. What is kept is shown nowhere.</p>
<form method="post" action="${path}/credentials">
${toCredentialFields(header, true)}
<div class="actions"><button class="main">Replace</button></div>
</form></section>
<section class="panel"><h2>Remove</h2>
<p>Its tools are gone from every project at the next call, and its credential is forgotten.</p>
${toTypedRemoval(`${path}/remove`, slug, 'Remove')}</section>`
}

function toReport({ shown, text }: NonNullable<IntegrationPage['report']>): Html {
  return html`<div role="status"><p>${shown.works ? toBadge('works', 'good') : toBadge('does not work', 'bad')}</p>
<pre class="content">${text}</pre></div>`
}

function toProjects(path: string, projects: IntegrationPage['projects'], more: string | undefined): Html {
  const rows = projects.map(({ id, name, enabled }) => [
    html`<a href="/console/projects/${id}/settings"><bdi>${name}</bdi></a>`,
    toEnabledBadge(enabled),
    toEnableButton(`${path}/projects`, enabled, { project: id }, name),
  ])
  return html`<section><h2>Projects</h2>
<p class="quiet">Where it is enabled, every key of the project reaches its tools, from the next call on. Hosted assistants do not.</p>
${toTable('Projects of the account', PROJECT_COLUMNS, rows, 'No projects yet.')}
${toMoreLink(more)}
</section>`
}
