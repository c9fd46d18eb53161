import { actingAs } from '../../account/auth/acting.ts'
import { type Actor, toMemberActor } from '../../account/auth/actor.ts'
import { mayManage } from '../../account/auth/authorize.ts'
import type { Caller } from '../../account/auth/caller.ts'
import type { Visitor } from '../../account/auth/session.ts'
import { requireVisibleProject } from '../../account/organizations/visible-projects.ts'
import { toDoneMessage } from '../../console/done-messages.ts'
import type { Html } from '../../console/markup/html.ts'
import { toShell } from '../../console/markup/shell.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/account.ts'
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
  clientIp: string
  actor: Actor
}

/** Makes a request a visit. */
export function toPageRequest(
  service: Service,
  request: Request,
  params: Record<string, string>,
  visitor: Visitor,
  clientIp: string,
): PageRequest {
  return { service, request, url: urlOf(request), params, visitor, clientIp, actor: toMemberActor(visitor, clientIp) }
}

/** What a page is shown with besides what is kept: what was wrong with a form, what the form held. */
export type FormState = { error?: string; fields?: URLSearchParams }

/** A project as a visitor acts in it. */
export type ProjectRequest = { project: Project; caller: Caller; path: string }

/** The project that the path names, with the visitor as caller. Throws a Refusal for one they may not open. */
export async function toProjectRequest({ service, visitor, params, clientIp }: PageRequest): Promise<ProjectRequest> {
  const project = await requireVisibleProject(service, visitor, params.project ?? '')
  const caller = { ...actingAs(visitor.account, project, visitor.member), clientIp: () => clientIp }
  return { project, caller, path: `/console/projects/${project.id}` }
}

type PageContent = { title: string; section: string; project?: Project | undefined; body: Html; status?: number }

/** A page of the console for this visit. */
export function toConsolePage({ visitor, url }: PageRequest, { error }: FormState, { status, ...shown }: PageContent): Response {
  const { member, account } = visitor
  const done = error === undefined ? toDoneMessage(url.searchParams.get('done')) : undefined
  const markup = toShell({ ...shown, person: member.name, account: account.name, manages: mayManage(member), error, done })
  return toPageResponse(markup, { status: status ?? (error === undefined ? 200 : 400) })
}

/** Sends the browser to a page, which may say what was done. */
export function redirect(path: string, done?: string, headers: Record<string, string> = {}): Response {
  const separator = path.includes('?') ? '&' : '?'
  const location = done === undefined ? path : `${path}${separator}done=${done}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}
