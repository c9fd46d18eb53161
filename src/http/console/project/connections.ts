import { Elysia } from 'elysia'
import { requireManager } from '../../../account/auth/authorize.ts'
import { toConnections } from '../../../console/project/connections.ts'
import { revokeConnection } from '../../../oauth/connection.ts'
import { listVisitorConnections, requireVisitorConnection } from '../../../oauth/visitor-connections.ts'
import type { Service } from '../../../service.ts'
import type { Project } from '../../../store/control.ts'
import { action, page } from '../handle.ts'
import { type FormState, inProject, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { toPaged } from '../paging.ts'

const ALL = '/console/connections'
const PATH = '/console/projects/:project/connections'

/** Hosted assistants connected to a project, or to any of the account: shown and ended. */
export function connections(service: Service) {
  const raw = { parse: 'none' } as const
  const plugin = new Elysia({ name: 'console/connections' })
  for (const path of [ALL, PATH]) {
    plugin.get(path, page(service, showConnections)).post(`${path}/:connection/revoke`, action(service, revoke, showConnections), raw)
  }
  return plugin
}

async function showConnections(visit: PageRequest, said: FormState): Promise<Response> {
  const { service, visitor, url } = visit
  const { project, at } = await findPlace(visit)
  const { rows, more: older } = toPaged(url, at, await listVisitorConnections(service, visitor, project?.id))
  const body = toConnections({ at, connections: rows, older, ofAccount: project === undefined, now: service.clock.now() })
  return toConsolePage(visit, said, { title: 'Connections', section: at, project, body })
}

async function revoke(visit: PageRequest): Promise<Response> {
  const { service, visitor, params, by } = visit
  const { project, at } = await findPlace(visit)
  await revokeConnection(service, await requireVisitorConnection(service, visitor, params.connection ?? '', project?.id), by)
  return redirect(at, 'connection.revoked')
}

/** The project that the path names, or the account's own page, which is for those who manage it. */
async function findPlace(visit: PageRequest): Promise<{ project: Project | undefined; at: string }> {
  if (visit.params.project === undefined) {
    requireManager(visit.visitor)
    return { project: undefined, at: ALL }
  }
  const { project, path } = await inProject(visit)
  return { project, at: `${path}/connections` }
}
