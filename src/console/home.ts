import { isOperatingMember, mayManage } from '../account/auth/actor.ts'
import { addProject } from '../account/organizations/project.ts'
import { listVisibleProjects } from '../account/organizations/project-access.ts'
import { findLastBackup } from '../maintenance/back-up-in-folder.ts'
import { LINE_DAYS, type ProjectLine, readProjectLines } from '../memory/overview/read-lines.ts'
import { isPutAway, withPutAway } from './browser.ts'
import { toButton, toNameForm } from './markup/form.ts'
import { toCount, toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { long, numeric, toBadge, toBeginning, toCountedTitle, toFold, toListWithFold, toTable } from './markup/table.ts'
import { leave } from './me.ts'
import { BACKUPS_PATH } from './operator/backups.ts'
import type { Answer, Page, PageContent, PageRequest } from './page.ts'
import { paginate, toPageLink } from './paging.ts'
import { redirect } from './response.ts'
import { readSuggestions } from './sessions/suggestions.ts'

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
  const lines = await Promise.all(
    (await readProjectLines(req.service, req.actor, rows)).map((line) => withSuggestions(req, line)),
  )
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

/** The line of a project, whose suggestions wait for a review as its records do. */
async function withSuggestions({ service, actor }: PageRequest, line: ProjectLine): Promise<ProjectLine> {
  const { project, memory } = line
  if (memory === undefined) return line
  const { length } = await readSuggestions({ service, actor, project })
  return { ...line, memory: { ...memory, toReview: memory.toReview + length } }
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

const PEOPLE = '/console/people'

/** A step of an owner's first days, and the page where it is done. */
type Step = { label: string; path: string; isDone: boolean }

/** What a new account still lacks, for its owners, until all of it is done or they put it away in this browser. */
async function toChecklist(req: PageRequest): Promise<Html | undefined> {
  if (req.visitor.member.role !== 'owner' || isPutAway(req.service.config, req.request)) return undefined
  const steps = await readSteps(req)
  if (steps.every(({ isDone }) => isDone)) return undefined
  return html`<section class="panel"><h2>First steps</h2>
<ul class="checklist">${steps.map(toItem)}</ul>
${toButton('/console/checklist', 'Hide this list')}
</section>`
}

function toItem({ label, path, isDone }: Step): Html {
  const state = isDone ? toBadge('done', 'good') : toBadge('to do', 'warn')
  return html`<li>${state} ${isDone ? label : html`<a href="${path}">${label}</a>`}</li>\n`
}

async function readSteps({ service, visitor }: PageRequest): Promise<Step[]> {
  const { control } = service.store
  const { member, account } = visitor
  const members = await control.list('members', { accountId: account.id, removedAt: null })
  const owners = members.filter(({ role }) => role === 'owner')
  const isInvited = (await control.count('invitations', { accountId: account.id })) > 0
  const keepsBackups = service.config.databaseUrl === undefined && (await isOperatingMember(control, visitor))
  const backup = { label: 'Make a backup', path: BACKUPS_PATH, isDone: findLastBackup(service) !== undefined }
  return [
    { label: 'Enter your e-mail address', path: '/console/me', isDone: !member.email.endsWith('@localhost') },
    { label: 'Invite a colleague', path: PEOPLE, isDone: members.length > 1 || isInvited },
    ...(keepsBackups ? [backup] : []),
    { label: 'Add a second owner', path: PEOPLE, isDone: owners.length > 1 },
  ]
}

async function putAwayChecklist({ service, request }: PageRequest): Promise<Answer> {
  return redirect('/console', undefined, { headers: { 'Set-Cookie': withPutAway(service.config, request) } })
}
