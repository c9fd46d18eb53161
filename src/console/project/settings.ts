import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { removeProject, renameProject } from '../../account/organizations/project.ts'
import { requireManagedProject } from '../../account/organizations/project-access.ts'
import { requireActiveSubscription } from '../../account/subscription/subscription.ts'
import { Notice } from '../../errors.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import { readProjectBytes } from '../../history/read/list-sessions.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces, type WorkspacePage } from '../../memory/workspaces/list-workspaces.ts'
import { removeWorkspace } from '../../memory/workspaces/remove-workspace.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import type { Usage } from '../../store/record.ts'
import type { SeenWorkspace } from '../../store/workspace.ts'
import { switchIntegration } from '../account/integrations.ts'
import { requireTypedName, typedValue } from '../form.ts'
import { toButton, toConfirmButton, toFold, toNameForm, toTypedRemoval } from '../markup/form.ts'
import { toCount, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { toMoreLink, toQueryPath } from '../paging.ts'
import { type FormState, type PageRequest, type ProjectRequest, toConsolePage, toProjectRequest } from '../request.ts'
import { redirect } from '../response.ts'

/** The settings page of a project, for owners and admins. */
export const settings = pageOf(manage, {
  path: '/console/projects/:project/settings',
  show: showSettings,
  forms: { '': rename, '/workspaces/remove': dropWorkspace, '/integrations': change, '/remove': remove },
})

type Place = ProjectRequest & { at: string }
type Managed = PageRequest & Place

async function manage(req: PageRequest): Promise<Place> {
  await requireManagedProject(req.service, req.actor, req.params.project ?? '')
  const found = await toProjectRequest(req)
  return { ...found, at: `${found.path}/settings` }
}

async function showSettings(req: Managed, state: FormState): Promise<Response> {
  const { service, visitor, project, at } = req
  const memory = service.store.project(project.id)
  const page = await readWorkspaces(req)
  const body = toSettings({
    at,
    project,
    name: typedValue(state, 'name', project.name),
    usage: {
      ...(await memory.readUsage()),
      workspaces: await memory.countWorkspaces(),
      historyBytes: await readProjectBytes(service, project.id),
    },
    limits: limitsOf(visitor.account),
    workspaces: typeof page === 'string' ? page : page.workspaces,
    more: typeof page === 'string' || page.more === undefined ? undefined : toQueryPath(at, { after: page.more }),
    integrations: await readSwitches(req),
    trashDays: service.config.trashDays,
    isOwner: visitor.member.role === 'owner',
  })
  return toConsolePage(req, state, { title: 'Settings', section: at, project, body })
}

/** One page of the workspaces, or a notice that the subscription does not permit reading. */
async function readWorkspaces({ service, url, project, caller }: Managed): Promise<WorkspacePage | string> {
  try {
    await requireActiveSubscription(service, caller, 'read')
    return await listWorkspaces(service.store.project(project.id), visibleTo(caller), url.searchParams.get('after') ?? undefined)
  } catch (error) {
    if (error instanceof Notice) return error.message
    throw error
  }
}

async function readSwitches({ service, visitor, project }: Managed) {
  const { control } = service.store
  const enabled = new Set((await control.listEnabledIntegrations(project.id)).map(({ id }) => id))
  return (await control.list('integrations', { accountId: visitor.account.id })).map((one) => ({ ...one, enabled: enabled.has(one.id) }))
}

async function rename({ service, actor, project, at }: Managed, form: URLSearchParams): Promise<Response> {
  await renameProject(service, actor, { project, name: form.get('name') ?? '' })
  return redirect(at, 'project.renamed')
}

async function dropWorkspace({ service, actor, project, at }: Managed, form: URLSearchParams): Promise<Response> {
  await removeWorkspace(service, actor, { projectId: project.id, name: form.get('workspace') ?? '' })
  return redirect(at, 'workspace.removed')
}

async function change(req: Managed, form: URLSearchParams): Promise<Response> {
  const { project, at } = req
  const integration = await requireIntegration(req.service, req.actor, req.visitor.account, form.get('integration') ?? '')
  return redirect(at, await switchIntegration(req, integration, project, form))
}

async function remove({ service, actor, project }: Managed, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, project.name)
  await removeProject(service, actor, project)
  return redirect('/console', 'project.removed')
}

type SettingsPage = {
  /** The path of the page. */
  at: string
  project: Project
  /** The name in the form that renames it. */
  name: string
  usage: Usage & { workspaces: number; historyBytes: number }
  limits: Limits
  /** One page of workspaces, or a notice that the subscription does not permit reading them. */
  workspaces: SeenWorkspace[] | string
  /** The link to more workspaces. */
  more: string | undefined
  integrations: (Integration & { enabled: boolean })[]
  trashDays: number
  /** Whether the visitor is an owner, who may remove the project. */
  isOwner: boolean
}

const WORKSPACE_COLUMNS: Column[] = [
  { label: 'Name', look: 'long' },
  { label: 'Records you see', look: 'number' },
  { label: 'Created' },
  ACTIONS_COLUMN,
]
const INTEGRATION_COLUMNS: Column[] = [
  { label: 'Integration', look: 'long' },
  { label: 'Mode', look: 'short' },
  { label: 'State' },
  ACTIONS_COLUMN,
]

/** The usage, name, workspaces, integrations and removal of a project. */
export function toSettings(page: SettingsPage): Html {
  const { at, project, name, usage, limits, isOwner } = page
  return html`<h1>Settings</h1>
${toFacts([
  ['Id', html`<code>${project.id}</code>`],
  ['Created', toExactTime(project.createdAt)],
  ['Records', `${toCount(usage.records)} of ${toCount(limits.records)}`],
  ['Content', `${toSize(usage.contentBytes)} of ${toSize(limits.contentBytes)}`],
  ['Workspaces', `${toCount(usage.workspaces)} of ${toCount(limits.workspaces)}`],
  ['Session histories', `${toSize(usage.historyBytes)} of ${toSize(limits.historyBytes)}`],
])}
<div class="row">${toFold('Rename', { actions: [at] }, toNameForm(at, name, 'Rename'))}
<a class="button small" href="/console/projects/${project.id}/import">Import and export</a></div>
${toWorkspaces(page)}
${toIntegrations(page)}
${isOwner ? toRemoval(at, project) : undefined}`
}

function toWorkspaces({ at, workspaces, more, trashDays }: SettingsPage): Html {
  const effect = `It is not active from then on. Its records are forgotten, whoever sees them; for ${trashDays} days they can be restored, one by one.`
  if (typeof workspaces === 'string') return html`<section><h2>Workspaces</h2><p>${workspaces}</p></section>`
  const rows = workspaces.map(({ name, records, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    html`${toCount(records)}`,
    toTime(createdAt),
    toConfirmButton(`${at}/workspaces/remove`, 'Remove', effect, { fields: { workspace: name }, about: name }),
  ])
  return html`<section><h2>Workspaces</h2>
<p class="quiet">A workspace is created by the first record saved in it.</p>
${toTable('Workspaces of this project', WORKSPACE_COLUMNS, rows, 'Nothing has been saved yet.')}
${toMoreLink(more)}
</section>`
}

function toIntegrations({ at, integrations }: SettingsPage): Html {
  const rows = integrations.map(({ id, slug, name, mode, enabled }) => [
    html`<a href="/console/integrations/${slug}"><bdi>${name}</bdi></a>`,
    html`${mode}`,
    toEnabledBadge(enabled),
    toEnableButton(`${at}/integrations`, enabled, { integration: id }, name),
  ])
  return html`<section><h2>Integrations</h2>
<p class="quiet">The tools of an enabled integration stand beside the service’s own, for every key of this project.</p>
${toTable('Integrations of the account', INTEGRATION_COLUMNS, rows, 'The account has none yet.')}
</section>`
}

/** Whether an integration is enabled for a project. */
export function toEnabledBadge(enabled: boolean): Html {
  return enabled ? toBadge('enabled', 'good') : toBadge('disabled')
}

/** The button that disables what is enabled, and enables what is not. */
export function toEnableButton(action: string, enabled: boolean, fields: Record<string, string>, about: string): Html {
  return toButton(action, enabled ? 'Disable' : 'Enable', { fields: { ...fields, enabled: enabled ? 'no' : 'yes' }, about })
}

function toRemoval(at: string, { name }: Project): Html {
  return html`<section class="panel"><h2>Remove the project</h2>
<p>Its keys stop working at once, and its records, those in the trash too, are erased for good. Nobody can bring them back.</p>
${toTypedRemoval(`${at}/remove`, name, 'Remove for good')}</section>`
}
