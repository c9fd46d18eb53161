import type { Actor } from '../../account/audit/audit.ts'
import { actingAs } from '../../account/auth/acting.ts'
import { mayManage } from '../../account/auth/authorize.ts'
import type { Caller } from '../../account/auth/caller.ts'
import { toMemberActor, type Visitor } from '../../account/auth/session.ts'
import { requireVisibleProject } from '../../account/organizations/visible-projects.ts'
import { toDone } from '../../console/done-messages.ts'
import type { Html } from '../../console/markup/html.ts'
import { toShell } from '../../console/markup/shell.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/control.ts'
import { toPageResponse } from '../page.ts'
import { urlOf } from '../request-url.ts'

/** One request of a signed-in person. */
export type PageRequest = {
  service: Service
  request: Request
  url: URL
  /** The variable parts of the path. */
  params: Record<string, string>
  visitor: Visitor
  address: string
  by: Actor
}

/** Makes a request a visit. */
export function toPageRequest(
  service: Service,
  request: Request,
  params: Record<string, string>,
  visitor: Visitor,
  address: string,
): PageRequest {
  return { service, request, url: urlOf(request), params, visitor, address, by: toMemberActor(visitor.member, address) }
}

/** What a page is shown with besides what is kept: what was wrong with a form, what the form held. */
export type FormState = { fault?: string; given?: URLSearchParams }

/** A project as a visitor acts in it. */
export type InProject = { project: Project; caller: Caller; path: string }

/** The project that the path names, with the visitor as caller. Throws a Refusal for one they may not open. */
export async function inProject({ service, visitor, params, address }: PageRequest): Promise<InProject> {
  const project = await requireVisibleProject(service, visitor, params.project ?? '')
  const caller = { ...actingAs(visitor.account, project, visitor.member), origin: () => address }
  return { project, caller, path: `/console/projects/${project.id}` }
}

type Shown = { title: string; section: string; project?: Project | undefined; body: Html; status?: number }

/** A page of the console for this visit. */
export function toConsolePage({ visitor, url }: PageRequest, { fault }: FormState, { status, ...shown }: Shown): Response {
  const { member, account } = visitor
  const done = fault === undefined ? toDone(url.searchParams.get('done')) : undefined
  const markup = toShell({ ...shown, person: member.name, account: account.name, manages: mayManage(member), fault, done })
  return toPageResponse(markup, { status: status ?? (fault === undefined ? 200 : 400) })
}

/** Sends the browser to a page, which may say what was done. */
export function redirect(path: string, done?: string, headers: Record<string, string> = {}): Response {
  const separator = path.includes('?') ? '&' : '?'
  const location = done === undefined ? path : `${path}${separator}done=${done}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}
