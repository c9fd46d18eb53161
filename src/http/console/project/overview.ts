import { Elysia } from 'elysia'
import { authorNames } from '../../../account/auth/caller.ts'
import { toOverview } from '../../../console/project/overview.ts'
import { PERIODS, type Period, readPresentOverview } from '../../../memory/overview/read-overview.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'

/** The overview of a project, which is its first page. */
export function overviewPage(service: Service) {
  return new Elysia({ name: 'console/overview' })
    .get(
      '/console/projects/:project',
      page(service, async (req) => redirect(`${(await toProjectRequest(req)).path}/overview`)),
    )
    .get('/console/projects/:project/overview', page(service, showOverview))
}

const DEFAULT_PERIOD: Period = 30

/** The period in a URL; 30 days if it is missing or unknown. */
function readPeriod({ searchParams }: URL): Period {
  return PERIODS.find((days) => String(days) === searchParams.get('days')) ?? DEFAULT_PERIOD
}

async function showOverview(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor, url } = req
  const { project, path } = await toProjectRequest(req)
  const overview = await readPresentOverview(service, actor, { projectId: project.id, period: readPeriod(url) })
  const held = overview.keys.flatMap(({ memberId }) => memberId ?? [])
  const body = toOverview({ path, overview, memberNames: await authorNames(service, new Set(held)) })
  return toConsolePage(req, state, { title: 'Overview', section: `${path}/overview`, project, body })
}
