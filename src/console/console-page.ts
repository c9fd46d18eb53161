import { isOperatingMember, mayManage } from '../account/auth/actor.ts'
import { actingAs } from '../account/auth/caller.ts'
import { listVisibleProjects } from '../account/organizations/project-access.ts'
import { findNotice } from '../account/subscription/subscription.ts'
import { StorageRefusal } from '../errors.ts'
import { viewerOf } from '../memory/records/lists/list-records.ts'
import { countToReview } from '../memory/records/lists/review-count.ts'
import type { Project } from '../store/account.ts'
import { readLastProject, withLastProject } from './browser.ts'
import { MESSAGE_PARAMETERS, toDoneMessage } from './done-messages.ts'
import { toCount } from './markup/format.ts'
import type { RefusedForm } from './markup/html.ts'
import { toShell } from './markup/shell.ts'
import type { PageContent, PageRequest, Refused } from './page.ts'
import { toQueryPath } from './paging.ts'
import { toPageResponse, toUndoButton } from './response.ts'
import { readSuggestions } from './sessions/suggestions.ts'

/** Maximum number of projects in the menu. */
const MAX_MENU_PROJECTS = 15

/**
 * A page of the console with the menus of the visitor and of a project: the one of the page, the one in its address, or
 * the one that was opened last.
 */
export async function toConsolePage(req: PageRequest, { status, ...content }: PageContent): Promise<Response> {
  const { service, visitor, url } = req
  const { member, account } = visitor
  const refused = content.refused ?? req.refused
  const projects = await listVisibleProjects(service, visitor)
  const last = readLastProject(service.config, req.request)
  const shown = req.params.project ?? last
  const menuProject = content.project ?? projects.find(({ id }) => id === shown)
  const waiting = menuProject && (await readWaiting(req, menuProject))
  const now = service.clock.now()
  const markup = toShell({
    ...content,
    section: content.section ?? req.at,
    title: content.isCounted && waiting ? `(${waiting}) ${content.title}` : content.title,
    person: member.name,
    account: account.name,
    manages: mayManage(member),
    operates: await isOperatingMember(service.store.control, visitor),
    menuProject,
    projects: { first: projects.slice(0, MAX_MENU_PROJECTS), count: projects.length },
    waiting,
    done: refused === undefined ? await toDone(req) : undefined,
    context: { now, formId: service.random.uuid(now), refused: refused && toRefusedForm(url, refused) },
  })
  const response = toPageResponse(markup, { status: status ?? (refused === undefined ? 200 : 400), isScripted: true })
  if (content.project !== undefined && content.project.id !== last)
    response.headers.append('Set-Cookie', withLastProject(service.config, req.request, content.project.id))
  return response
}

function toRefusedForm({ pathname: action }: URL, refused: Refused): RefusedForm {
  return { action, ...refused, isFilter: refused.fields === undefined }
}

/**
 * The number of what waits in a project for the visitor's review, records and suggestions from their sessions, as
 * displayed; empty for nothing, if the subscription does not permit reading, and for a project that cannot be read:
 * pages of others have its menu too.
 */
export async function readWaiting(
  { service, visitor, actor }: Pick<PageRequest, 'service' | 'visitor' | 'actor'>,
  project: Project,
): Promise<string> {
  const caller = actingAs(visitor.account, project, visitor.member)
  if (findNotice(service, caller, 'read') !== undefined) return ''
  try {
    const suggestions = await readSuggestions({ service, actor, project })
    const count = (await countToReview(service, viewerOf(caller))) + suggestions.length
    return count === 0 ? '' : toCount(count)
  } catch (error) {
    if (error instanceof StorageRefusal) return ''
    throw error
  }
}

/**
 * The message about the last action, with a button that undoes it if that is possible. The button returns to this page.
 */
async function toDone(req: PageRequest) {
  const { pathname, searchParams } = req.url
  const text = toDoneMessage(searchParams)
  if (text === undefined) return undefined
  const query = new URLSearchParams(searchParams)
  for (const name of MESSAGE_PARAMETERS) query.delete(name)
  return { text, undo: await toUndoButton(req, toQueryPath(pathname, Object.fromEntries(query))) }
}
