import { Elysia } from 'elysia'
import { toConnections } from '../../../console/project/connections.ts'
import { revokeConnection } from '../../../oauth/connection.ts'
import { listVisibleConnections, requireVisibleConnection } from '../../../oauth/visible-connections.ts'
import type { Service } from '../../../service.ts'
import type { Project } from '../../../store/account.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'
import { PAGE_SIZE, paginate, readPageNumber } from '../paging.ts'

const ALL = '/console/connections'
const PATH = '/console/projects/:project/connections'

/** The pages of the hosted assistants connected to one project, and to any project of the account. */
export function connections(service: Service) {
  const raw = { parse: 'none' } as const
  const plugin = new Elysia({ name: 'console/connections' })
  for (const path of [ALL, PATH]) {
    plugin.get(path, page(service, showConnections)).post(`${path}/:connection/revoke`, action(service, revoke, showConnections), raw)
  }
  return plugin
}

async function showConnections(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor, url } = req
  const { project, at } = await findPlace(req)
  const most = readPageNumber(url) * PAGE_SIZE + 1
  const { rows, more: older } = paginate(url, at, await listVisibleConnections(service, actor, { projectId: project?.id, most }))
  const body = toConnections({ at, connections: rows, older, isOfAccount: project === undefined, now: service.clock.now() })
  return toConsolePage(req, state, { title: 'Connections', section: at, project, body })
}

async function revoke(req: PageRequest): Promise<Response> {
  const { service, params, actor } = req
  const { project, at } = await findPlace(req)
  await revokeConnection(service, actor, await requireVisibleConnection(service, actor, params.connection ?? '', project?.id))
  return redirect(at, 'connection.revoked')
}

/** The project in the path, and the path of its page; without a project, the page of the account. */
async function findPlace(req: PageRequest): Promise<{ project: Project | undefined; at: string }> {
  if (req.params.project === undefined) return { project: undefined, at: ALL }
  const { project, path } = await toProjectRequest(req)
  return { project, at: `${path}/connections` }
}
