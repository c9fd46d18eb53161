import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { toAdvice } from '../../gateway/callable.ts'
import type { IntegrationUse } from '../../gateway/integration-use.ts'
import type { PastTest, ProbeReport } from '../../gateway/probe.ts'
import type { Project } from '../../store/account.ts'
import type { Integration, ToolList } from '../../store/integration.ts'
import { toButton, toField, toOptions, toSelect, toTypedRemoval } from '../markup/form.ts'
import { countOf, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { toEnableButton, toEnabledBadge } from '../project/settings.ts'
import { MODE_LABELS, SESSION_OPTIONS, toCredentialFields } from './integrations.ts'
import { type ShownChanges, toToolChanges } from './tool-changes.ts'
import { toDuration, toToolTable } from './tool-table.ts'

/** The values of the form of settings, without the credential. */
export type IntegrationSettings = { name: string; url: string; mode: string; timeout: string; sessions: string; header: string }

type IntegrationPage = {
  integration: Integration
  projects: (Project & { enabled: boolean })[]
  more: string | undefined
  /** The result of the test that was just run, and the same as text. */
  report: { shown: ProbeReport; text: string } | undefined
  lastTest: PastTest | undefined
  /** The list of its tools; undefined if its server was never asked. */
  list: ToolList | undefined
  use: IntegrationUse
  changes: ShownChanges
  settings: IntegrationSettings
}

const PROJECT_COLUMNS: Column[] = [{ label: 'Project', look: 'long' }, { label: 'State' }, ACTIONS_COLUMN]

/** The page of one integration: test, usage, tools, withheld changes, projects, settings and removal. */
export function toIntegration(page: IntegrationPage): Html {
  const { integration, projects, more, report, list, use, changes, settings } = page
  const { slug, name } = integration
  const path = `/console/integrations/${slug}`
  const withheld = new Set(changes.review.names)
  return html`<p class="back"><a href="/console/integrations">All integrations</a></p>
<div class="head"><h1><bdi>${name}</bdi></h1>${toButton(`${path}/test`, 'Test', { about: slug })}</div>
${report && toReport(report)}
${toToolChanges(path, changes)}
${toOverview(page)}
${toToolTable(path, { integration, list, withheld, use })}
${toProjects(path, projects, more)}
${toSettings(path, settings)}
<section class="panel"><h2>Remove</h2>
<p>Its tools are gone from every project at the next call, and its credential is forgotten.</p>
${toTypedRemoval(`${path}/remove`, slug, 'Remove')}</section>`
}

function toOverview({ integration, lastTest, use }: IntegrationPage): Html {
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

function toSettings(path: string, { name, url, mode, timeout, sessions, header }: IntegrationSettings): Html {
  return html`<section class="panel"><h2>Settings</h2>
<p class="quiet">They apply from the next call on. Enter the credential again when you change the address: another server never gets the old one.</p>
<form method="post" action="${path}/settings">
${toField({ name: 'name', label: 'Name', value: name, required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'Stands before the titles of its tools.' })}
${toField({ name: 'url', label: 'Address', type: 'url', value: url, required: true })}
${toSelect({ name: 'mode', label: 'Mode', value: mode }, toOptions(MODE_LABELS))}
${toField({ name: 'timeout', label: 'Seconds in which it must answer or report progress', type: 'number', value: timeout, required: true })}
${toSelect({ name: 'sessions', label: 'Sessions', value: sessions, hint: 'A session of one’s own is for what it remembers, such as an open browser.' }, SESSION_OPTIONS)}
${toCredentialFields(`${path}/settings`, header, 'Left empty, the present one stays.')}
<div class="actions"><button class="main">Save</button></div>
</form></section>`
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
