import type { MemberActor } from '../account/auth/actor.ts'
import { actingAs, type Caller } from '../account/auth/caller.ts'
import { requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { prepareShown, type ToShown } from '../memory/records/lists/shown-record.ts'
import { visibleTo } from '../memory/visibility.ts'
import type { Service } from '../service.ts'
import type { Project } from '../store/account.ts'
import type { ProjectStore } from '../store/project.ts'
import type { StoredRecord } from '../store/record.ts'
import type { SessionHolder } from '../store/sign-in.ts'
import type { Done } from './done-messages.ts'
import type { Html } from './markup/html.ts'

/**
 * Why a form was refused, the field at fault, and what was typed; without `fields`, filters in the page's address were
 * refused.
 */
export type Refused = { error: string; field?: string | undefined; fields?: URLSearchParams }

/** A request of a signed-in member. */
export type PageRequest = {
  service: Service
  request: Request
  url: URL
  /** The values of the path's parameters. */
  params: Record<string, string>
  /** The path of the page that the request, or its form, belongs to. */
  at: string
  visitor: SessionHolder
  clientIp: string
  actor: MemberActor
  /** Whether its form undoes an act: its fields are then those that were kept, whatever was posted. */
  isUndo?: boolean
  /** The refused form that the page is shown again for. */
  refused?: Refused
}

/**
 * The content of a page; the frame adds menus and messages, and fills what was typed into the fields of a refused form.
 */
export type PageContent = {
  title: string
  body: Html
  /** The path of the current menu entry; by default the page's own. */
  section?: string
  /** The project whose menu is shown; by default the page's own. */
  project?: Project | undefined
  status?: number
  /** Whether the title begins with the number of waiting records. */
  isCounted?: boolean
  /** In place of what was refused in the request. */
  refused?: Refused | undefined
}

/** A response, the content of a page, or the name of a message with which the visitor is redirected to the page. */
export type Answer = Response | PageContent | Done

/** Shows a page. */
export type View<Req = PageRequest> = (req: Req) => Promise<Answer>

/** Posted bytes, with the file name if there was one. */
export type PostedFile = { name: string; bytes: Uint8Array }

/** Reads the body of a request by a signed-in member. */
export type ReadPosted = (
  service: Service,
  request: Request,
  req: PageRequest,
) => Promise<{ form: URLSearchParams; file: PostedFile }>

/** Handles a posted form. `file` is set if the form reads bodies with a file. */
export type Action<Req = PageRequest> = (req: Req, form: URLSearchParams, file: PostedFile) => Promise<Answer>

/** An action with its own limits. */
export type Form<Req = PageRequest> = {
  act: Action<Req>
  /** Shows the form again if it was refused; by default the page. */
  refused?: View<Req>
  /** The window that limits how often a member may send it. */
  limit?: 'form by' | 'leaving by' | 'part by'
  read?: ReadPosted
}

/** A page of the console: what its path shows, and what the forms below it do. */
export type Page<Req = PageRequest> = {
  path: string
  show: View<Req>
  /** What other paths show, by what follows `path`. */
  views?: Record<string, View<Req>>
  /** The forms, by what follows `path`. */
  forms?: Record<string, Action<Req> | Form<Req>>
  /** Whether it is for the operator only. For everybody else it does not exist. */
  isOperators?: boolean
}

/** The action of a form that does one thing, and then shows the page with a message. */
export function done<Req>(message: Done, act: (req: Req, form: URLSearchParams) => unknown): Action<Req> {
  return async (req, form) => {
    await act(req, form)
    return message
  }
}

type Open<Place> = (req: PageRequest) => Promise<Place & { project?: Project | undefined }>

/**
 * An answer to a request with what `open` finds by its path; `open` may refuse the visitor. The menu shows the project,
 * if it finds one.
 */
export function opened<Place, Rest extends unknown[]>(
  open: Open<Place>,
  answer: (req: PageRequest & Place, ...rest: Rest) => Promise<Answer>,
) {
  return async (req: PageRequest, ...rest: Rest): Promise<Answer> => {
    const place = await open(req)
    const content = await answer({ ...req, ...place }, ...rest)
    return typeof content === 'string' || content instanceof Response ? content : { project: place.project, ...content }
  }
}

/** A page of what its path names, which is opened before each view and action. */
export function pageOf<Place>(open: Open<Place>, page: Page<PageRequest & Place>): Page {
  const toForm = (form: Action<PageRequest & Place> | Form<PageRequest & Place>): Action | Form => {
    if (typeof form === 'function') return opened(open, form)
    const { act, refused, ...limits } = form
    return { act: opened(open, act), ...(refused && { refused: opened(open, refused) }), ...limits }
  }
  const { show, views = {}, forms = {}, ...rest } = page
  const shown = mapValues(views, (view) => opened(open, view))
  return { ...rest, show: opened(open, show), views: shown, forms: mapValues(forms, toForm) }
}

const mapValues = <From, To>(values: Record<string, From>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))

/** A request for a page of a project, the visitor as its caller, and the path of its pages. */
export type ProjectRequest = PageRequest & { project: Project; caller: Caller; path: string }

/** The project that the path names. Throws a Refusal for one that the visitor may not open. */
export async function openProject({ service, visitor, params, clientIp }: PageRequest) {
  const project = await requireVisibleProject(service, visitor, params.project ?? '')
  const caller: Caller = { ...actingAs(visitor.account, project, visitor.member), clientIp: () => clientIp }
  return { project, caller, path: `/console/projects/${project.id}` }
}

/** A request for a page of a project's memory: its store, and the view of records that the visitor may see. */
export type MemoryRequest = ProjectRequest & {
  memory: ProjectStore
  prepareShown: (records: StoredRecord[]) => Promise<ToShown>
}

/** Opens the memory of the project in the path. Throws a Notice if the subscription does not permit `access`. */
async function openMemory(req: PageRequest, access: ToolAccess) {
  const place = await openProject(req)
  await requireActiveSubscription(req.service, place.caller, access)
  const memory = req.service.store.project(place.project.id)
  return {
    ...place,
    memory,
    prepareShown: (records: StoredRecord[]) => prepareShown(req.service, memory, visibleTo(place.caller), records),
  }
}

export const openForReading = (req: PageRequest) => openMemory(req, 'read')
export const openForWriting = (req: PageRequest) => openMemory(req, 'write')

/**
 * The URL of the service for users and their assistants: the public URL, otherwise the URL of this request. Behind a
 * proxy the scheme of a request is unknown, but a browser sends it in the `Origin` of a form.
 */
export function toBaseUrl({ service, request, url }: PageRequest): string {
  return service.config.publicUrl ?? request.headers.get('origin') ?? url.origin
}
