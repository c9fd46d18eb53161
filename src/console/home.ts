import { mayManage } from '../account/auth/authorize.ts'
import { addProject } from '../account/organizations/project.ts'
import { listVisibleProjects } from '../account/organizations/project-access.ts'
import { LINE_DAYS, type ProjectLine, readProjectLines } from '../memory/overview/read-lines.ts'
import { typedValue } from './form.ts'
import { toFold, toListWithFold, toNameForm } from './markup/form.ts'
import { toCount, toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { type Column, toTable } from './markup/table.ts'
import { leave } from './me.ts'
import type { Page } from './page.ts'
import { paginate, toMoreLink } from './paging.ts'
import { toCountedTo } from './records/sources.ts'
import { type FormState, type PageRequest, toConsolePage } from './request.ts'
import { redirect } from './response.ts'

/** The first page of the console: the projects. */
export const home: Page = {
  path: '/console',
  show: showHome,
  forms: { '/projects': add, '/sign-out': { act: leave, limit: 'leaving by' } },
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

type HomePage = {
  lines: ProjectLine[]
  more: string | undefined
  manages: boolean
  /** The name in the form that adds a project. */
  name: string
}

const COLUMNS: Column[] = [
  { label: 'Name', look: 'long' },
  { label: 'Records', look: 'number' },
  { label: 'To review', look: 'number' },
  { label: `Calls in ${LINE_DAYS} days`, look: 'number' },
  { label: 'Errors', look: 'number' },
  { label: 'Created' },
]

/** The projects that the visitor may open, with their state, and the form that adds one. */
export function toHome({ lines, more, manages, name }: HomePage): Html {
  const rows = lines.map(({ project, memory, calls, errors }) => [
    html`<a href="/console/projects/${project.id}">${project.name}</a>`,
    html`${memory === undefined ? '–' : toCount(memory.records)}`,
    memory === undefined || memory.toReview === 0
      ? html`${memory === undefined ? '–' : '0'}`
      : html`<a href="/console/projects/${project.id}/review">${toCountedTo(memory.toReview)}</a>`,
    html`${toCount(calls)}`,
    html`${toCount(errors)}`,
    toTime(project.createdAt),
  ])
  const empty = manages ? 'No projects yet.' : 'No project is open to you yet. An owner or admin of your account opens one to you.'
  const list = toTable('Projects you may open', COLUMNS, rows, empty)
  return html`<h1>Projects</h1>
${manages ? toListWithFold(list, toAddForm(name), rows.length === 0) : list}
${toMoreLink(more)}
${toBeginning(lines)}`
}

/** What to do first, for somebody whose only project is empty. */
function toBeginning([only, ...others]: ProjectLine[]): Html | undefined {
  if (only?.memory?.records !== 0 || others.length > 0) return undefined
  return html`<div class="nothing"><p>Nothing is saved yet. Records come from assistants that are connected.</p>
<div class="actions"><a class="button main" href="/console/projects/${only.project.id}/start">Connect an assistant</a></div></div>`
}

function toAddForm(name: string): Html {
  const form = html`<p class="quiet">A project keeps its records to itself: no key of another one finds them.</p>
${toNameForm('/console/projects', name, 'Add')}`
  return toFold('Add a project', { actions: ['/console/projects'] }, form)
}
