import { actingAs } from '../../account/acting.ts'
import type { By } from '../../account/audit.ts'
import type { Caller } from '../../account/caller.ts'
import { mayManage } from '../../account/rights.ts'
import { byMember, type Visitor } from '../../account/session.ts'
import { requireVisitorProject } from '../../account/visitor-projects.ts'
import { toDone } from '../../console/done.ts'
import type { Html } from '../../console/html.ts'
import { toShell } from '../../console/shell.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/control.ts'
import { toPageResponse } from '../page.ts'
import { urlOf } from '../request-url.ts'

/** One request of a signed-in person. */
export type Visit = {
  service: Service
  request: Request
  url: URL
  /** The variable parts of the path. */
  params: Record<string, string>
  visitor: Visitor
  address: string
  by: By
}

/** Makes a request a visit. */
export function toVisit(service: Service, request: Request, params: Record<string, string>, visitor: Visitor, address: string): Visit {
  return { service, request, url: urlOf(request), params, visitor, address, by: byMember(visitor.member, address) }
}

/** What a page is shown with besides what is kept: what was wrong with a form, what the form held. */
export type Said = { fault?: string; given?: URLSearchParams }

/** A project as a visitor acts in it. */
export type InProject = { project: Project; caller: Caller; path: string }

/** The project that the path names, with the visitor as caller. Throws a Refusal for one they may not open. */
export async function inProject({ service, visitor, params, address }: Visit): Promise<InProject> {
  const project = await requireVisitorProject(service, visitor, params.project ?? '')
  const caller = { ...actingAs(visitor.account, project, visitor.member), origin: () => address }
  return { project, caller, path: `/console/projects/${project.id}` }
}

type Shown = { title: string; section: string; project?: Project | undefined; body: Html; status?: number }

/** A page of the console for this visit. */
export function toConsolePage({ visitor, url }: Visit, { fault }: Said, { status, ...shown }: Shown): Response {
  const { member, account } = visitor
  const done = fault === undefined ? toDone(url.searchParams.get('done')) : undefined
  const markup = toShell({ ...shown, person: member.name, account: account.name, manages: mayManage(member), fault, done })
  return toPageResponse(markup, { status: status ?? (fault === undefined ? 200 : 400) })
}

/** Sends the browser to a page, which may say what was done. */
export function toPlace(path: string, done?: string, headers: Record<string, string> = {}): Response {
  const separator = path.includes('?') ? '&' : '?'
  const location = done === undefined ? path : `${path}${separator}done=${done}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}
