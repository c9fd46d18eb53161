import { Elysia } from 'elysia'
import { mayManage, requireManager } from '../../account/auth/authorize.ts'
import { addProject } from '../../account/organizations/project.ts'
import { listVisibleProjects } from '../../account/organizations/visible-projects.ts'
import { toHome } from '../../console/home.ts'
import type { Service } from '../../service.ts'
import { action, page } from './handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from './page-request.ts'
import { toPaged } from './paging.ts'

/** The first page: the projects. */
export function home(service: Service) {
  return new Elysia({ name: 'console/home' })
    .get('/', () => redirect('/console'))
    .get('/console', page(service, showHome))
    .post('/console/projects', action(service, add, showHome), { parse: 'none' })
}

async function showHome(visit: PageRequest, said: FormState): Promise<Response> {
  const projects = await listVisibleProjects(visit.service, visit.visitor)
  const { rows, more } = toPaged(visit.url, '/console', projects)
  const body = toHome({ projects: rows, more, manages: mayManage(visit.visitor.member), name: said.given?.get('name') ?? '' })
  return toConsolePage(visit, said, { title: 'Projects', section: '/console', body })
}

async function add({ service, visitor, by }: PageRequest, form: URLSearchParams): Promise<Response> {
  requireManager(visitor)
  const { id } = await addProject(service, visitor.account, form.get('name') ?? '', by)
  return redirect(`/console/projects/${id}/keys`, 'project.added')
}
