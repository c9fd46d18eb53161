import { mayManage } from '../account/auth/authorize.ts'
import { addProject } from '../account/organizations/project.ts'
import { listVisibleProjects } from '../account/organizations/project-access.ts'
import { LINE_DAYS, type ProjectLine, readProjectLines } from '../memory/overview/read-lines.ts'
import { putAwayChecklist, toChecklist } from './checklist.ts'
import { toFold, toListWithFold, toNameForm } from './markup/form.ts'
import { toCount, toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { long, numeric, toBeginning, toCountedTitle, toTable } from './markup/table.ts'
import { leave } from './me.ts'
import type { Answer, Page, PageContent, PageRequest } from './page.ts'
import { paginate, toPageLink } from './paging.ts'
import { redirect } from './response.ts'

/** The first page of the console: the projects. */
export const home: Page = {
  path: '/console',
  show: showHome,
  forms: { '/projects': add, '/checklist': putAwayChecklist, '/sign-out': { act: leave, limit: 'leaving by' } },
}

async function add({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { id } = await addProject(service, actor, { account: visitor.account, name: form.get('name') ?? '' })
  return redirect(`/console/projects/${id}/start`, 'project.added')
}

/** The projects that the visitor may open, with their state, and the form that adds one. */
async function showHome(req: PageRequest): Promise<PageContent> {
  const all = await listVisibleProjects(req.service, req.visitor)
  const { rows, more } = paginate(req, all)
  const lines = await readProjectLines(req.service, req.actor, rows)
  const manages = mayManage(req.visitor.member)
  const empty = manages
    ? 'No projects yet.'
    : 'No project is open to you yet. Ask an owner or admin of your account to open one.'
  const columns = [
    long('Name'),
    numeric('Records'),
    numeric('To review'),
    numeric(`Calls in ${LINE_DAYS} days`),
    numeric('Errors'),
    'Created',
  ]
  const list = toTable('Projects you may open', columns, lines.map(toRow), empty)
  const body = html`${toCountedTitle('Projects', all.length)}
${manages ? toListWithFold(list, ADD_FORM, lines.length === 0) : list}
${toPageLink(more, 'More')}
${toFirst(lines)}
${await toChecklist(req)}`
  return { title: 'Projects', body }
}

function toRow({ project, memory, calls, errors }: ProjectLine) {
  const { id, name, createdAt } = project
  const toReview = memory?.toReview && html`<a href="/console/projects/${id}/review">${toCount(memory.toReview)}</a>`
  return [
    html`<a href="/console/projects/${id}">${name}</a>`,
    memory === undefined ? '–' : toCount(memory.records),
    toReview ?? '–',
    toCount(calls),
    errors === 0 ? '0' : html`<a href="/console/projects/${id}/calls">${toCount(errors)}</a>`,
    toTime(createdAt),
  ]
}

/** What to do first, for somebody whose only project is empty. */
function toFirst([only, ...others]: ProjectLine[]): Html | undefined {
  if (only?.memory?.records !== 0 || others.length > 0) return undefined
  return toBeginning(
    `/console/projects/${only.project.id}`,
    'Nothing is saved yet. Connect an assistant to save records.',
  )
}

const ADD_FORM = toFold(
  'Add a project',
  { actions: ['/console/projects'] },
  html`<p class="quiet">Records belong to one project: keys of other projects do not find them.</p>
${toNameForm('/console/projects', '', 'Add')}`,
)
