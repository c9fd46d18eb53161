import { type MemberActor, toMemberActor } from '../account/auth/actor.ts'
import { mayManage } from '../account/auth/authorize.ts'
import { actingAs, type Caller } from '../account/auth/caller.ts'
import type { Visitor } from '../account/auth/session.ts'
import { listVisibleProjects, requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { Notice } from '../errors.ts'
import { urlOf } from '../http/request-url.ts'
import { viewerOf } from '../memory/records/lists/list-records.ts'
import { countToReview, MAX_COUNTED_TO_REVIEW } from '../memory/records/lists/review-count.ts'
import { prepareShown, type ToShown } from '../memory/records/lists/shown-record.ts'
import { visibleTo } from '../memory/visibility.ts'
import type { Service } from '../service.ts'
import type { Project } from '../store/account.ts'
import type { ProjectStore } from '../store/project.ts'
import type { StoredRecord } from '../store/record.ts'
import { toDoneMessage } from './done-messages.ts'
import { toNotFoundPage } from './error-pages.ts'
import type { Html, RefusedForm } from './markup/html.ts'
import { toShell } from './markup/shell.ts'
import { toQueryPath } from './paging.ts'
import { toUndoButton } from './records/undo.ts'
import { toPageResponse } from './response.ts'

/** A request of a signed-in member. */
export type PageRequest = {
  service: Service
  request: Request
  url: URL
  /** The values of the path's parameters. */
  params: Record<string, string>
  visitor: Visitor
  clientIp: string
  actor: MemberActor
}

export function toPageRequest(
  service: Service,
  request: Request,
  params: Record<string, string>,
  visitor: Visitor,
  clientIp: string,
): PageRequest {
  return { service, request, url: urlOf(request), params, visitor, clientIp, actor: toMemberActor(visitor, clientIp) }
}

/** The reason why a form was refused, the field at fault, and the typed values; empty for a page without a refused form. */
export type FormState = { error?: string; field?: string | undefined; fields?: URLSearchParams }

/** A project, the visitor as its caller, and the path of its pages. */
export type ProjectRequest = { project: Project; caller: Caller; path: string }

/** The project that the path names. Throws a Refusal for one that the visitor may not open. */
export async function toProjectRequest({ service, visitor, params, clientIp }: PageRequest): Promise<ProjectRequest> {
  const project = await requireVisibleProject(service, visitor, params.project ?? '')
  const caller = { ...actingAs(visitor.account, project, visitor.member), clientIp: () => clientIp }
  return { project, caller, path: `/console/projects/${project.id}` }
}

/** The refused form that a page is a response to; undefined for a page without one. */
function toRefused({ pathname: action }: URL, { error, field, fields }: FormState): RefusedForm | undefined {
  return error === undefined ? undefined : { action, error, field, fields, isFilter: fields === undefined }
}

type PageContent = {
  title: string
  section: string
  project?: Project | undefined
  body: Html
  status?: number
  /** Whether the title begins with the number of waiting records. */
  isCounted?: boolean
}

/** Maximum number of projects in the menu. */
const MAX_MENU_PROJECTS = 15

/** A page of the console with the menus of the visitor and of the project, if there is one. */
export async function toConsolePage(req: PageRequest, state: FormState, { status, ...content }: PageContent): Promise<Response> {
  const { service, visitor, url } = req
  const { member, account } = visitor
  const projects = await listVisibleProjects(service, visitor)
  const waiting = content.project && (await readWaiting(req, content.project))
  const markup = toShell({
    ...content,
    title: content.isCounted && waiting ? `(${waiting}) ${content.title}` : content.title,
    person: member.name,
    account: account.name,
    manages: mayManage(member),
    projects: { first: projects.slice(0, MAX_MENU_PROJECTS), count: projects.length },
    refused: toRefused(url, state),
    waiting,
    done: state.error === undefined ? toDone(url, content.project) : undefined,
    now: service.clock.now(),
  })
  return toPageResponse(markup, { status: status ?? (state.error === undefined ? 200 : 400), isScripted: true })
}

/** The page for an unknown path. Pages of the operator are that one for everybody else, so that nobody learns of them. */
export function toNowhere(req: PageRequest): Promise<Response> {
  return toConsolePage(req, {}, { title: 'Not found', section: '', body: toNotFoundPage(), status: 404 })
}

/** The number of records of a project waiting for review, as displayed; empty for none, and if the subscription does not permit reading. */
async function readWaiting({ service, visitor }: PageRequest, project: Project): Promise<string> {
  const caller = actingAs(visitor.account, project, visitor.member)
  try {
    await requireActiveSubscription(service, caller, 'read')
  } catch (error) {
    if (error instanceof Notice) return ''
    throw error
  }
  return toWaiting(await countToReview(service, viewerOf(caller)))
}

/** A number of waiting records as displayed in the menu. */
export function toWaiting(count: number): string {
  if (count === 0) return ''
  return count >= MAX_COUNTED_TO_REVIEW ? `${MAX_COUNTED_TO_REVIEW - 1}+` : String(count)
}

/** The message about the last action, with a button that undoes it if that is possible. The button returns to this page. */
function toDone({ pathname, searchParams }: URL, project: Project | undefined) {
  const text = toDoneMessage(searchParams)
  if (text === undefined) return undefined
  const query = new URLSearchParams(searchParams)
  for (const name of ['done', 'id']) query.delete(name)
  const back = toQueryPath(pathname, Object.fromEntries(query))
  return { text, undo: project && toUndoButton(`/console/projects/${project.id}`, searchParams, back) }
}

/**
 * The URL of the service for users and their assistants: the public URL, otherwise that of this request. Behind a proxy the scheme of a request is unknown,
 * but a browser sends it in the `Origin` of a form.
 */
export function toBaseUrl({ service, request, url }: PageRequest): string {
  return service.config.publicUrl ?? request.headers.get('origin') ?? url.origin
}

/** A project, its store, and the view of records that the visitor may see. */
export type ProjectMemory = ProjectRequest & { memory: ProjectStore; prepareShown: (records: StoredRecord[]) => Promise<ToShown> }

/**
 * Opens the memory of the project in the path. Throws a Refusal for a project that the visitor may not open, and a Notice if the subscription does not permit
 * `access`.
 */
export async function openMemory(req: PageRequest, access: ToolAccess): Promise<ProjectMemory> {
  const place = await toProjectRequest(req)
  await requireActiveSubscription(req.service, place.caller, access)
  const memory = req.service.store.project(place.project.id)
  return { ...place, memory, prepareShown: (records) => prepareShown(req.service, memory, visibleTo(place.caller), records) }
}

/** A request for a page of a project's memory. */
export type MemoryRequest = PageRequest & ProjectMemory

export const openForReading = (req: PageRequest) => openMemory(req, 'read')
export const openForWriting = (req: PageRequest) => openMemory(req, 'write')
