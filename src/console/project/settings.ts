import type { Limits } from '../../account/limits/plan.ts'
import type { Project } from '../../store/control.ts'
import type { Integration } from '../../store/integration.ts'
import type { SeenWorkspace, Usage } from '../../store/project.ts'
import { toButton, toConfirmButton, toField } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { toCount, toSize } from '../size.ts'

type SettingsPage = {
  /** The path of the page. */
  at: string
  project: Project
  /** What the visitor wants it to be called. */
  name: string
  usage: Usage & { workspaces: number }
  limits: Limits
  /** The subscription's notice instead, where it keeps memory closed. */
  workspaces: SeenWorkspace[] | string
  /** The way to more workspaces. */
  more: string | undefined
  integrations: (Integration & { enabled: boolean })[]
  trashDays: number
  /** Whether the visitor may remove the project. */
  owns: boolean
}

const WORKSPACES: Column[] = [
  { label: 'Name' },
  { label: 'Records you see', look: 'number' },
  { label: 'Made' },
  { label: '', look: 'actions' },
]
const INTEGRATIONS: Column[] = [{ label: 'Integration' }, { label: 'Mode' }, { label: 'Here' }, { label: '', look: 'actions' }]

/** What belongs to a project as a whole. */
export function toSettings(page: SettingsPage): Html {
  const { at, project, name, usage, limits, owns } = page
  return html`<h1>Settings</h1>
${toFacts([
  ['Id', html`<code>${project.id}</code>`],
  ['Made', toTime(project.createdAt)],
  ['Records', `${toCount(usage.records)} of ${toCount(limits.records)}`],
  ['Content', `${toSize(usage.contentBytes)} of ${toSize(limits.contentBytes)}`],
  ['Workspaces', `${toCount(usage.workspaces)} of ${toCount(limits.workspaces)}`],
])}
<section class="panel"><h2>Rename</h2>
<form method="post" action="${at}" class="line">
${toField({ name: 'name', label: 'Name', value: name, required: true, maxlength: 100 })}
<button class="main">Rename</button>
</form></section>
${toWorkspaces(page)}
${toSwitches(page)}
${owns ? toRemoval(at, project) : undefined}`
}

function toWorkspaces({ at, workspaces, more, trashDays }: SettingsPage): Html {
  const says = `It is not active from then on. Its records are forgotten, whoever sees them; for ${trashDays} days they can be restored, one by one.`
  if (typeof workspaces === 'string') return html`<section class="panel"><h2>Workspaces</h2><p>${workspaces}</p></section>`
  const rows = workspaces.map(({ name, records, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    html`${toCount(records)}`,
    toTime(createdAt),
    toConfirmButton(`${at}/workspaces/remove`, 'Remove', says, { fields: { workspace: name }, about: name }),
  ])
  return html`<section class="panel"><h2>Workspaces</h2>
<p class="quiet">The first save into a workspace makes it.</p>
${toTable('Workspaces of this project', WORKSPACES, rows, 'Nothing was saved yet.')}
${toMoreLink(more)}
</section>`
}

function toSwitches({ at, integrations }: SettingsPage): Html {
  const rows = integrations.map(({ id, slug, name, mode, enabled }) => [
    html`<a href="/console/integrations/${slug}"><bdi>${name}</bdi></a>`,
    html`${mode}`,
    toSwitchState(enabled),
    toSwitch(`${at}/integrations`, enabled, { integration: id }, name),
  ])
  return html`<section class="panel"><h2>Integrations</h2>
<p class="quiet">The tools of an enabled one stand beside the service’s own, for every key of this project.</p>
${toTable('Integrations of the account', INTEGRATIONS, rows, 'The account has none yet.')}
</section>`
}

/** Whether an integration is enabled somewhere. */
export function toSwitchState(enabled: boolean): Html {
  return enabled ? toBadge('enabled', 'good') : toBadge('disabled')
}

/** The button that enables or disables. */
export function toSwitch(action: string, enabled: boolean, fields: Record<string, string>, about: string): Html {
  return toButton(action, enabled ? 'Disable' : 'Enable', { fields: { ...fields, enabled: enabled ? 'no' : 'yes' }, about })
}

function toRemoval(at: string, { name }: Project): Html {
  return html`<section class="panel"><h2>Remove the project</h2>
<p>Its keys are dead at once, and its records, those in the trash too, are erased for good. Nobody can bring them back.</p>
<form method="post" action="${at}/remove" class="line">
${toField({ name: 'typed', label: `Type “${name}” to confirm`, required: true })}
<button class="danger">Remove for good</button>
</form></section>`
}
