import { Elysia } from 'elysia'
import { limitsOf } from '../../../account/limits/plan.ts'
import { removeProject, renameProject } from '../../../account/organizations/project.ts'
import { requireManagedProject } from '../../../account/organizations/project-access.ts'
import { requireActiveSubscription } from '../../../account/subscription/subscription.ts'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { toSettings } from '../../../console/project/settings.ts'
import { Notice } from '../../../errors.ts'
import { requireIntegration } from '../../../gateway/integration.ts'
import { readProjectBytes } from '../../../history/read/list-sessions.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces, type WorkspacePage } from '../../../memory/workspaces/list-workspaces.ts'
import { removeWorkspace } from '../../../memory/workspaces/remove-workspace.ts'
import type { Service } from '../../../service.ts'
import { switchIntegration } from '../account/integrations.ts'
import { requireTypedName, typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, type ProjectRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'

const PATH = '/console/projects/:project/settings'

/** The settings page of a project, for owners and admins. */
export function settings(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/settings' })
    .get(PATH, page(service, showSettings))
    .post(PATH, action(service, rename, showSettings), raw)
    .post(`${PATH}/workspaces/remove`, action(service, dropWorkspace, showSettings), raw)
    .post(`${PATH}/integrations`, action(service, change, showSettings), raw)
    .post(`${PATH}/remove`, action(service, remove, showSettings), raw)
}

type Managed = ProjectRequest & { at: string }

async function manage(req: PageRequest): Promise<Managed> {
  await requireManagedProject(req.service, req.actor, req.params.project ?? '')
  const found = await toProjectRequest(req)
  return { ...found, at: `${found.path}/settings` }
}

async function showSettings(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const managed = await manage(req)
  const { project, at } = managed
  const memory = service.store.project(project.id)
  const page = await readWorkspaces(req, managed)
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
    integrations: await readSwitches(req, managed),
    trashDays: service.config.trashDays,
    isOwner: visitor.member.role === 'owner',
  })
  return toConsolePage(req, state, { title: 'Settings', section: at, project, body })
}

/** One page of the workspaces, or a notice that the subscription does not permit reading. */
async function readWorkspaces({ service, url }: PageRequest, { project, caller }: Managed): Promise<WorkspacePage | string> {
  try {
    await requireActiveSubscription(service, caller, 'read')
    return await listWorkspaces(service.store.project(project.id), visibleTo(caller), url.searchParams.get('after') ?? undefined)
  } catch (error) {
    if (error instanceof Notice) return error.message
    throw error
  }
}

async function readSwitches({ service, visitor }: PageRequest, { project }: Managed) {
  const { control } = service.store
  const enabled = new Set((await control.listEnabledIntegrations(project.id)).map(({ id }) => id))
  return (await control.listIntegrations(visitor.account.id)).map((one) => ({ ...one, enabled: enabled.has(one.id) }))
}

async function rename(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { project, at } = await manage(req)
  await renameProject(req.service, req.actor, { project, name: form.get('name') ?? '' })
  return redirect(at, 'project.renamed')
}

async function dropWorkspace(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor } = req
  const { project, caller, at } = await manage(req)
  await requireActiveSubscription(service, caller, 'write')
  await removeWorkspace(service, actor, { projectId: project.id, name: form.get('workspace') ?? '' })
  return redirect(at, 'workspace.removed')
}

async function change(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { project, at } = await manage(req)
  const integration = await requireIntegration(req.service, req.actor, req.visitor.account, form.get('integration') ?? '')
  return redirect(at, await switchIntegration(req, integration, project, form))
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { project } = await manage(req)
  requireTypedName(form, project.name)
  await removeProject(req.service, req.actor, project)
  return redirect('/console', 'project.removed')
}
