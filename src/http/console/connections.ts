import { Elysia } from 'elysia'
import { requireManager } from '../../account/rights.ts'
import { toConnections } from '../../console/connections.ts'
import { revokeConnection } from '../../oauth/connection.ts'
import { listVisitorConnections, requireVisitorConnection } from '../../oauth/visitor-connections.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/control.ts'
import { shows, takes } from './handle.ts'
import { toPaged } from './paged.ts'
import { inProject, type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const ALL = '/console/connections'
const PATH = '/console/projects/:project/connections'

/** Hosted assistants connected to a project, or to any of the account: shown and ended. */
export function connections(service: Service) {
  const raw = { parse: 'none' } as const
  const plugin = new Elysia({ name: 'console/connections' })
  for (const path of [ALL, PATH]) {
    plugin.get(path, shows(service, showConnections)).post(`${path}/:connection/revoke`, takes(service, revoke, showConnections), raw)
  }
  return plugin
}

async function showConnections(visit: Visit, said: Said): Promise<Response> {
  const { service, visitor, url } = visit
  const { project, at } = await findPlace(visit)
  const { rows, more: older } = toPaged(url, at, await listVisitorConnections(service, visitor, project?.id))
  const body = toConnections({ at, connections: rows, older, ofAccount: project === undefined, now: service.clock.now() })
  return toConsolePage(visit, said, { title: 'Connections', section: at, project, body })
}

async function revoke(visit: Visit): Promise<Response> {
  const { service, visitor, params, by } = visit
  const { project, at } = await findPlace(visit)
  await revokeConnection(service, await requireVisitorConnection(service, visitor, params.connection ?? '', project?.id), by)
  return toPlace(at, 'connection.revoked')
}

/** The project that the path names, or the account's own page, which is for those who manage it. */
async function findPlace(visit: Visit): Promise<{ project: Project | undefined; at: string }> {
  if (visit.params.project === undefined) {
    requireManager(visit.visitor)
    return { project: undefined, at: ALL }
  }
  const { project, path } = await inProject(visit)
  return { project, at: `${path}/connections` }
}
