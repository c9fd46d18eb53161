import { Elysia } from 'elysia'
import { addProject } from '../../account/project.ts'
import { mayManage, requireManager } from '../../account/rights.ts'
import { listVisitorProjects } from '../../account/visitor-projects.ts'
import { toHome } from '../../console/home.ts'
import type { Service } from '../../service.ts'
import { shows, takes } from './handle.ts'
import { toPaged } from './paged.ts'
import { type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

/** The first page: the projects. */
export function home(service: Service) {
  return new Elysia({ name: 'console/home' })
    .get('/', () => toPlace('/console'))
    .get('/console', shows(service, showHome))
    .post('/console/projects', takes(service, add, showHome), { parse: 'none' })
}

async function showHome(visit: Visit, said: Said): Promise<Response> {
  const projects = await listVisitorProjects(visit.service, visit.visitor)
  const { rows, more } = toPaged(visit.url, '/console', projects)
  const body = toHome({ projects: rows, more, manages: mayManage(visit.visitor.member), name: said.given?.get('name') ?? '' })
  return toConsolePage(visit, said, { title: 'Projects', section: '/console', body })
}

async function add({ service, visitor, by }: Visit, form: URLSearchParams): Promise<Response> {
  requireManager(visitor)
  const { id } = await addProject(service, visitor.account, form.get('name') ?? '', by)
  return toPlace(`/console/projects/${id}/keys`, 'project.added')
}
