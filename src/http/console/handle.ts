import type { Server } from 'bun'
import { authenticateVisitor } from '../../account/auth/session.ts'
import { consumeAttempt } from '../../account/limits/throttle.ts'
import { LIGHT_BODY_BYTES } from '../../account/limits/traffic.ts'
import { toForeignRequestPage, toNotFoundPage, toRefusedPage, toTooManyPage } from '../../console/error-pages.ts'
import { Notice, ProtocolError, Refusal, TooLarge, TooMany } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { announcedSize, readBody } from '../body.ts'
import { clientIpOf } from '../client-ip.ts'
import { isForeign, isOwnOrigin } from '../origin.ts'
import { toPage } from '../page.ts'
import { urlOf } from '../request-url.ts'
import { readToken } from './cookie.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toPageRequest } from './page-request.ts'

/** What Elysia hands to a route, as far as pages need it. */
export type RouteContext = { request: Request; server: Server<unknown> | null; params?: Record<string, string> }

/** Makes the answer to a visit; `said` is empty unless a form was refused. */
export type View = (req: PageRequest, state: FormState) => Promise<Response>

/** Acts on a posted form. */
export type Act = (req: PageRequest, form: URLSearchParams) => Promise<Response>

/** The largest form of somebody signed in, in bytes: a record of 64 KiB whose every byte is escaped fits. */
const MAX_FORM_BYTES = 262_144
const MAX_FORM_FIELDS = 1_000

/** A page for people who have signed in; others are sent to sign in first and come back. What is not there is a page that says so. */
export function page(service: Service, view: View) {
  return async ({ request, server, params = {} }: RouteContext): Promise<Response> => {
    if (isForeign(service.config, request.headers)) return toForeignPage()
    const req = await findVisit(service, { request, server, params })
    if (req === undefined) return toSignIn(request)
    return withRefusals(
      () => view(req, {}),
      (reason, status) => toRefused(req, reason, status ?? 404),
    )
  }
}

/**
 * What a form of such a page does. A refusal is shown on `view` with what was typed, or on a page of its own. A member posts a bounded
 * number of forms a minute, counted in `window`; beyond it, they get what they typed back.
 */
export function action(service: Service, act: Act, view?: View, window: 'form by' | 'leaving by' = 'form by') {
  return async ({ request, server, params = {} }: RouteContext): Promise<Response> => {
    if (!isOwn(service, request)) return toForeignPage()
    const early = await findVisit(service, { request, server, params })
    if (early === undefined) return redirect('/console/sign-in')
    const taken = async () => {
      const form = await readMemberForm(service, request, early)
      // Whoever sends the end of a form late acts with the rights they have then.
      const req = await findVisit(service, { request, server, params })
      if (req === undefined) return redirect('/console/sign-in')
      const seconds = waitOf(() => consumeAttempt(service, window, req.visitor.member.id))
      if (seconds !== undefined) return toWait(req, form, seconds)
      // What a form sets off may take longer than a quiet connection lasts: another server is asked, a workspace is emptied.
      server?.timeout(request, 0)
      return withRefusals(
        () => act(req, form),
        (fault, status) => refuse(req, { error: fault, fields: form }, view, status),
      )
    }
    return withRefusals(taken, (fault, status = 400) => toRefused(early, fault, status))
  }
}

/** The seconds to wait where too much was attempted; undefined where the attempt may be made. */
function waitOf(attempt: () => void): number | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (error instanceof TooMany) return error.seconds
    throw error
  }
}

/** A page that makes no read, however often it is asked for. */
function toWait({ url }: PageRequest, form: URLSearchParams, seconds: number): Response {
  const body = toTooManyPage({ action: url.pathname, fields: [...form], seconds })
  return toPage({ status: 429, title: 'Wait a moment', body, headers: { 'Retry-After': String(seconds) } })
}

/** A refusal on the page of the form; on a page of its own where there is none, or where that is refused too. */
async function refuse(req: PageRequest, state: FormState & { error: string }, view?: View, status = 400): Promise<Response> {
  const alone = () => toRefused(req, state.error, status)
  return view === undefined ? alone() : withRefusals(() => view(req, state), alone)
}

/** The fields of a posted form of at most `limit` bytes. Throws a Refusal for a body that is none, TooLarge for a larger one. */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) throw new Refusal('the body must be a form')
  const text = await readBody(request, limit).catch(refuseForm)
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) throw new Refusal('the form has too many fields')
  return new URLSearchParams(text)
}

function refuseForm(error: unknown): never {
  if (!(error instanceof ProtocolError)) throw error
  throw error.status === 413 ? new TooLarge('the form is too large') : new Refusal('the form was not there in time, or is not UTF-8 text')
}

/** The form of somebody signed in. Throws TooMany where there is no room for it in memory. */
async function readMemberForm(service: Service, request: Request, { visitor }: PageRequest): Promise<URLSearchParams> {
  const size = announcedSize(request.headers, MAX_FORM_BYTES)
  if (size <= LIGHT_BODY_BYTES || size > MAX_FORM_BYTES) return readForm(request, MAX_FORM_BYTES)
  const release = service.traffic.hold(visitor.member.id, size)
  try {
    return await readForm(request, MAX_FORM_BYTES)
  } finally {
    release()
  }
}

/** Whether a form was posted by a page of ours. A browser says which site's page posts; a program that says nothing carries nobody's cookie. */
export function isOwn(service: Service, request: Request): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  return !isForeign(service.config, headers) && isOwnOrigin(service.config, headers) && (site === null || site === 'same-origin')
}

/** The page for what came from elsewhere. */
export function toForeignPage(): Response {
  return toPage({ status: 403, title: 'Refused', body: toForeignRequestPage() })
}

async function findVisit(service: Service, { request, server, params = {} }: RouteContext): Promise<PageRequest | undefined> {
  const token = readToken(service.config, request)
  const visitor = token === undefined ? undefined : await authenticateVisitor(service, token)
  return visitor && toPageRequest(service, request, params, visitor, clientIpOf(service.config, request, server))
}

function toSignIn(request: Request): Response {
  const { pathname, search } = urlOf(request)
  return redirect(pathname === '/console' ? '/console/sign-in' : `/console/sign-in?to=${encodeURIComponent(pathname + search)}`)
}

/** Runs an act; what it refuses for a reason people may read is turned into a page. */
export async function withRefusals(
  act: () => Promise<Response>,
  refused: (reason: string, status?: number) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof TooLarge) return refused(error.message, 413)
    if (error instanceof Refusal) return refused(error.message)
    if (error instanceof Notice) return refused(error.message, 403)
    if (!(error instanceof TooMany)) throw error
    const response = await refused(`too many attempts; try again in ${error.seconds} seconds`, 429)
    response.headers.set('Retry-After', String(error.seconds))
    return response
  }
}

function toRefused(req: PageRequest, reason: string, status: number): Response {
  const body = status === 404 ? toNotFoundPage(reason) : toRefusedPage(reason)
  return toConsolePage(req, {}, { title: 'Not done', section: '', body, status })
}
