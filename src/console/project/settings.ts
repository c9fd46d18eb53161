import { limitsOf } from '../../account/limits/plan.ts'
import { removeProject, renameProject } from '../../account/organizations/project.ts'
import { requireManagedProject } from '../../account/organizations/project-access.ts'
import { findNotice } from '../../account/subscription/subscription.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import { readProjectBytes } from '../../history/read/list-sessions.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { mergeWorkspaces, renameWorkspace } from '../../memory/workspaces/change-workspace.ts'
import { removeWorkspace } from '../../memory/workspaces/remove-workspace.ts'
import { countVisibleWorkspaces, listWorkspaces } from '../../memory/workspaces/workspace.ts'
import type { Project } from '../../store/account.ts'
import type { Workspace } from '../../store/workspace.ts'
import { switchIntegration } from '../account/integrations.ts'
import { requireTypedName } from '../form.ts'
import { FORM_ID, toButton, toConfirmButton, toField, toNameForm, toTypedRemoval } from '../markup/form.ts'
import { toCount, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, short, toBadge, toCountedHeading, toFacts, toFold, toTable } from '../markup/table.ts'
import {
  type Answer,
  done,
  openProject,
  type PageContent,
  type PageRequest,
  type ProjectRequest,
  pageOf,
} from '../page.ts'
import { toPageLink, toQueryPath } from '../paging.ts'
import { redirect, undoable } from '../response.ts'

/** The settings page of a project, for owners and admins. */
export const settings = pageOf(openManaged, {
  path: '/console/projects/:project/settings',
  show: showSettings,
  forms: {
    '': undoable(
      'project.renamed',
      ({ service, actor, project }, form) => renameProject(service, actor, { project, name: form.get('name') ?? '' }),
      ({ project }) => ({ fields: { name: project.name } }),
    ),
    '/workspaces/remove': done('workspace.removed', ({ service, actor, project }, form) =>
      removeWorkspace(service, actor, { projectId: project.id, name: form.get('workspace') ?? '' }),
    ),
    '/workspaces/rename': undoable(
      'workspace.renamed',
      ({ service, actor, project }, form) =>
        renameWorkspace(service, actor, {
          projectId: project.id,
          name: form.get('workspace') ?? '',
          newName: form.get('new_name') ?? '',
        }),
      (_, form) => ({ fields: { workspace: form.get('new_name') ?? '', new_name: form.get('workspace') ?? '' } }),
    ),
    '/workspaces/merge': done('workspace.merged', ({ service, actor, project }, form) =>
      mergeWorkspaces(service, actor, {
        projectId: project.id,
        name: form.get('merged') ?? '',
        into: form.get('into') ?? '',
      }),
    ),
    '/integrations': change,
    '/remove': remove,
  },
})

async function openManaged(req: PageRequest) {
  await requireManagedProject(req.service, req.actor, req.params.project ?? '')
  return openProject(req)
}

async function change(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const integration = await requireIntegration(
    req.service,
    req.actor,
    req.visitor.account,
    form.get('integration') ?? '',
  )
  return switchIntegration(req, integration, req.project, form)
}

async function remove({ service, actor, project }: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, project.name)
  await removeProject(service, actor, project)
  return redirect('/console', 'project.removed')
}

/** The usage, name, workspaces, integrations and removal of a project. */
async function showSettings(req: ProjectRequest): Promise<PageContent> {
  const { service, visitor, at, project } = req
  const memory = service.store.project(project.id)
  const { records, contentBytes } = await memory.readUsage()
  const limits = limitsOf(visitor.account)
  const body = html`<h1>Settings</h1>
${toFacts([
  ['Id', html`<code>${project.id}</code>`],
  ['Created', toExactTime(project.createdAt)],
  ['Records', `${toCount(records)} of ${toCount(limits.records)}`],
  ['Content', `${toSize(contentBytes)} of ${toSize(limits.contentBytes)}`],
  ['Workspaces', `${toCount(await memory.countWorkspaces())} of ${toCount(limits.workspaces)}`],
  ['Session histories', `${toSize(await readProjectBytes(service, project.id))} of ${toSize(limits.historyBytes)}`],
])}
<div class="row">${toFold('Rename', { actions: [at] }, toNameForm(at, project.name, 'Rename'))}
<a class="button small" href="/console/projects/${project.id}/import">Import and export</a></div>
${await toWorkspaces(req)}
${await toIntegrations(req)}
${visitor.member.role === 'owner' ? toRemoval(at, project) : undefined}`
  return { title: 'Settings', body }
}

/** One page of the workspaces, or a notice that the subscription does not permit reading. */
async function toWorkspaces({ service, url, at, project, caller }: ProjectRequest): Promise<Html> {
  const notice = findNotice(service, caller, 'read')
  if (notice !== undefined) return html`<section><h2>Workspaces</h2><p>${notice.message}</p></section>`
  const after = url.searchParams.get('after') ?? undefined
  const memory = service.store.project(project.id)
  const { workspaces, more } = await listWorkspaces(memory, visibleTo(caller), after)
  const effect = `Its records are forgotten, also those that you do not see. They can be restored from the trash for ${service.config.trashDays} days.`
  const rows = workspaces.map(({ name, records, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    toCount(records),
    toTime(createdAt),
    toConfirmButton(`${at}/workspaces/remove`, 'Remove', effect, { fields: { workspace: name }, about: name }),
  ])
  const columns = [long('Name'), numeric('Records you see'), 'Created', ACTIONS]
  return html`<section>${toCountedHeading('Workspaces', await countVisibleWorkspaces(memory, visibleTo(caller)))}
<p class="quiet">A workspace is created by the first record saved in it.</p>
${toTable('Workspaces of this project', columns, rows, 'Nothing has been saved yet.')}
${toPageLink(more && toQueryPath(at, { after: more }), 'More')}
${workspaces.length === 0 ? undefined : toWorkspaceForms(at, workspaces)}
</section>`
}

/** The forms that rename a workspace, and that merge one into another. */
function toWorkspaceForms(at: string, workspaces: Workspace[]): Html {
  const [renaming, merging] = [`${at}/workspaces/rename`, `${at}/workspaces/merge`]
  const toName = (name: string, label: string) =>
    toField({ name, label, required: true, maxlength: 64, suggestions: workspaces.map((workspace) => workspace.name) })
  return toFold(
    'Rename or merge',
    { actions: [renaming, merging] },
    html`<form method="post" action="${renaming}" class="line">${FORM_ID}
${toName('workspace', 'Workspace')}
${toField({ name: 'new_name', label: 'New name', required: true, maxlength: 64 })}
<button class="main">Rename</button>
</form>
<p class="quiet">Its records stay in it. Folders that use it need <code>memsvc workspace use</code> with the new name.</p>
<form method="post" action="${merging}" class="line">${FORM_ID}
${toName('merged', 'Move all records of')}
${toName('into', 'into')}
<button class="main">Merge</button>
</form>
<p class="quiet">The first workspace is removed. Which record of a fact is current is decided as if all had been saved into one workspace.</p>`,
  )
}

async function toIntegrations({ service, visitor, at, project }: ProjectRequest): Promise<Html> {
  const { control } = service.store
  const ids = new Set((await control.listEnabledIntegrations(project.id)).map(({ id }) => id))
  const rows = (await control.list('integrations', { accountId: visitor.account.id })).map(
    ({ id, slug, name, mode }) => [
      html`<a href="/console/integrations/${slug}"><bdi>${name}</bdi></a>`,
      mode,
      toEnabledBadge(ids.has(id)),
      toEnableButton(`${at}/integrations`, ids.has(id), { integration: id }, name),
    ],
  )
  return html`<section>${toCountedHeading('Integrations', rows.length)}
<p class="quiet">Every key of this project can call the tools of an enabled integration.</p>
${toTable('Integrations of the account', [long('Integration'), short('Mode'), 'State', ACTIONS], rows, 'No integrations yet.')}
</section>`
}

/** Whether an integration is enabled for a project. */
export function toEnabledBadge(enabled: boolean): Html {
  return enabled ? toBadge('enabled', 'good') : toBadge('disabled')
}

/** The button that disables what is enabled, and enables what is not. */
export function toEnableButton(action: string, enabled: boolean, fields: Record<string, string>, about: string): Html {
  return toButton(action, enabled ? 'Disable' : 'Enable', {
    fields: { ...fields, enabled: enabled ? 'no' : 'yes' },
    about,
  })
}

function toRemoval(at: string, { name }: Project): Html {
  return html`<section class="panel"><h2>Remove the project</h2>
<p>Its keys stop working at once, and its records, those in the trash too, are erased for good. Nobody can bring them back.</p>
${toTypedRemoval(`${at}/remove`, name, 'Remove for good')}</section>`
}
