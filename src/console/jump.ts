import { isOperatingMember, mayManage } from '../account/auth/actor.ts'
import { actingAs } from '../account/auth/caller.ts'
import { listVisibleProjects } from '../account/organizations/project-access.ts'
import { findNotice } from '../account/subscription/subscription.ts'
import { EVERY_WORKSPACE } from '../memory/search/request.ts'
import { searchMemory } from '../memory/search/search.ts'
import type { Project } from '../store/account.ts'
import { JUMP_PATH, type JumpTarget, toJump } from './markup/jump.ts'
import { accountMenu, projectMenu } from './markup/shell.ts'
import type { Page, PageContent, PageRequest } from './page.ts'
import { toRecordPath } from './records/record-card.ts'

const MAX_QUERY_CHARACTERS = 200
/** Maximum number of targets of each kind. */
const MAX_TARGETS = 8
/** The beginning of a record that names it, in UTF-16 code units. */
const MAX_LABEL_CHARACTERS = 100

/** The page that finds projects, pages and, if opened from a project, its records. */
export const jump: Page = { path: JUMP_PATH, show: showJump }

async function showJump(req: PageRequest): Promise<PageContent> {
  const { service, visitor, url } = req
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY_CHARACTERS).toWellFormed()
  const from = url.searchParams.get('from') ?? ''
  const projects = await listVisibleProjects(service, visitor)
  const present = projects.find(({ id }) => from.split('/')[3] === id)
  const searched = present ?? (projects.length === 1 ? projects[0] : undefined)
  const targets = [
    ...toFitting(
      query,
      toPages(mayManage(visitor.member), await isOperatingMember(service.store.control, visitor), present),
    ),
    ...toFitting(
      query,
      projects.map(({ id, name }) => ({ path: `/console/projects/${id}`, label: name, kind: 'Project' })),
    ),
    ...(query === '' || searched === undefined ? [] : await findRecords(req, searched, query)),
  ]
  return {
    title: 'Jump to',
    project: present,
    body: toJump({ query, from, targets, isOfProject: searched !== undefined }),
  }
}

function toPages(manages: boolean, operates: boolean, present: Project | undefined): JumpTarget[] {
  const own = [...accountMenu(manages, operates), { path: '/console/me', label: 'You' }]
  const entries = present === undefined ? own : [...projectMenu(`/console/projects/${present.id}`, manages), ...own]
  return entries.map(({ path, label }) => ({ path, label, kind: 'Page' }))
}

function toFitting(query: string, targets: JumpTarget[]): JumpTarget[] {
  const wanted = query.toLowerCase()
  return targets.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MAX_TARGETS)
}

/** The records that a search finds; none if the subscription does not permit reading. */
async function findRecords({ service, visitor }: PageRequest, project: Project, query: string): Promise<JumpTarget[]> {
  const caller = actingAs(visitor.account, project, visitor.member)
  if (findNotice(service, caller, 'read') !== undefined) return []
  const { result } = await searchMemory(service, caller, { query, workspace: EVERY_WORKSPACE, limit: MAX_TARGETS })
  return result.map(({ id, content }) => ({
    path: toRecordPath(`/console/projects/${project.id}`, id),
    label: content.slice(0, MAX_LABEL_CHARACTERS).toWellFormed(),
    kind: 'Record',
  }))
}
