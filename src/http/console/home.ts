import { Elysia } from 'elysia'
import { mayManage } from '../../account/auth/authorize.ts'
import { addProject } from '../../account/organizations/project.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { toHome } from '../../console/home.ts'
import { readProjectLines } from '../../memory/overview/read-lines.ts'
import type { Service } from '../../service.ts'
import { typedValue } from './form-fields.ts'
import { action, page } from './handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from './page-request.ts'
import { paginate } from './paging.ts'

/** The first page of the console: the projects. */
export function home(service: Service) {
  return new Elysia({ name: 'console/home' })
    .get('/', () => redirect('/console'))
    .get('/console', page(service, showHome))
    .post('/console/projects', action(service, add, showHome), { parse: 'none' })
}

async function showHome(req: PageRequest, state: FormState): Promise<Response> {
  const projects = await listVisibleProjects(req.service, req.visitor)
  const { rows, more } = paginate(req.url, '/console', projects)
  const lines = await readProjectLines(req.service, req.actor, rows)
  const body = toHome({ lines, more, manages: mayManage(req.visitor.member), name: typedValue(state, 'name') })
  return toConsolePage(req, state, { title: 'Projects', section: '/console', body })
}

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  const { id } = await addProject(service, actor, { account: visitor.account, name: form.get('name') ?? '' })
  return redirect(`/console/projects/${id}/start`, 'project.added')
}
