import type { Server } from 'bun'
import { toMemberActor } from '../account/auth/actor.ts'
import { authenticateVisitor } from '../account/auth/session.ts'
import { consumeAttempt } from '../account/limits/throttle.ts'
import { yieldIfDue } from '../cooperative.ts'
import { DamagedProject, Notice, Refusal, StorageDown, TooLarge, TooMany } from '../errors.ts'
import { readForm } from '../http/body.ts'
import { clientIpOf, isForeign, isOwnForm, urlOf } from '../http/request.ts'
import type { Service } from '../service.ts'
import { readToken } from './browser.ts'
import { compressed } from './compress.ts'
import { toConsolePage } from './console-page.ts'
import { toForeignPage, toRefusedPage, toSessionEnded, toUnavailablePage, toWaitPage } from './error-pages.ts'
import { holdingBody, MAX_FORM_BYTES, readMemberForm } from './form.ts'
import type { Answer, Form, PageRequest, Refused, View } from './page.ts'
import { fillUndo, redirect } from './response.ts'

/** The part of Elysia's context that pages use. */
export type RouteContext = { request: Request; server: Server<unknown> | null; params?: Record<string, string> }

/**
 * The route of a page for signed-in members. Others are redirected to sign in, and back afterwards. A Refusal becomes a
 * page with status 404.
 */
export function toViewRoute(service: Service, path: string, view: View) {
  return async (context: RouteContext): Promise<Response> => {
    if (isForeign(service.config, context.request.headers)) return toForeignPage()
    const req = await authenticateRequest(service, path, context)
    if (req === undefined) return redirectToSignIn(context.request)
    // Pages requested at once each begin in a separate turn of the event loop.
    await yieldIfDue()
    const response = await withErrorPages(
      async () => respond(req, await view(req)),
      ({ message }, status = 404) => toErrorPage(req, message, status),
    )
    return compressed(context.request, response)
  }
}

/**
 * The route of a form for signed-in members. A refusal is shown by `view` with the typed values, or on a page of its
 * own. The forms of a member are rate-limited by the window `limit`; beyond it, the response is a page with the same
 * form to send again.
 */
export function toFormRoute(
  service: Service,
  path: string,
  { act, refused: view, limit = 'form by', read = readMemberForm }: Form,
) {
  return async (context: RouteContext): Promise<Response> => {
    const { request, server } = context
    if (!isOwnForm(service.config, request.headers)) return toForeignPage()
    const early = await authenticateRequest(service, path, context)
    if (early === undefined) return answerAfterSession(service, request)
    const run = async () => {
      const { form: posted, file } = await read(service, request, early)
      // Forms that arrive at once are not all handled in one turn.
      await yieldIfDue()
      // Authenticated again: a session may end, and rights may change, while the body arrives.
      const again = await authenticateRequest(service, path, context)
      if (again === undefined) return toSessionEnded(request, posted)
      const { form, isUndo } = await fillUndo(again, posted)
      const req = { ...again, isUndo }
      const seconds = await consume(service, limit, req.visitor.member.id)
      if (seconds !== undefined) return toWaitPage(request, form, seconds)
      // No idle timeout: an action may wait for another server, or remove many records.
      server?.timeout(request, 0)
      return withErrorPages(
        async () => respond(req, await act(req, form, file)),
        ({ message, field }, status) => {
          const refusedField = field !== undefined && form.has(field) ? field : undefined
          return showRefusedForm(req, { error: message, field: refusedField, fields: form }, view, status)
        },
      )
    }
    const response = await withErrorPages(run, ({ message }, status = 400) => toErrorPage(early, message, status))
    return compressed(request, response)
  }
}

async function respond(req: PageRequest, answer: Answer): Promise<Response> {
  if (answer instanceof Response) return answer
  return typeof answer === 'string' ? redirect(req.at, answer) : toConsolePage(req, answer)
}

/** The account for memory of bodies whose session has ended: all together may use as much as one member. */
const ENDED_SESSIONS = { id: 'ended sessions', accountId: 'of ended sessions' }

/** Answers a form that was sent without a session, after it had ended or in a browser that was signed out. */
function answerAfterSession(service: Service, request: Request): Promise<Response> {
  const read = () => readForm(request, MAX_FORM_BYTES)
  return withErrorPages(
    async () => toSessionEnded(request, await holdingBody(service, request, ENDED_SESSIONS, MAX_FORM_BYTES, read)),
    () => redirect('/console/sign-in'),
  )
}

/** Counts an attempt. Returns the seconds to wait if the limit is exceeded. */
async function consume(
  service: Service,
  limit: NonNullable<Form['limit']>,
  memberId: string,
): Promise<number | undefined> {
  try {
    await consumeAttempt(service, limit, memberId)
    return undefined
  } catch (error) {
    if (error instanceof TooMany) return error.seconds
    throw error
  }
}

/**
 * Shows the page of a refused form; or a page with only the error and the typed texts if there is none, or the visitor
 * may not see it.
 */
async function showRefusedForm(req: PageRequest, refused: Refused, view?: View, status = 400): Promise<Response> {
  const toPlainPage = () => toErrorPage(req, refused.error, status, refused.fields)
  await yieldIfDue()
  if (view === undefined) return toPlainPage()
  const again = { ...req, refused }
  return withErrorPages(async () => respond(again, await view(again)), toPlainPage)
}

/** The request with the member whose session it belongs to; undefined without a valid session. */
async function authenticateRequest(
  service: Service,
  path: string,
  { request, server, params = {} }: RouteContext,
): Promise<PageRequest | undefined> {
  const token = readToken(service.config, request)
  const visitor = token === undefined ? undefined : await authenticateVisitor(service, token)
  if (visitor === undefined) return undefined
  const clientIp = clientIpOf(service.config, request, server)
  const [url, actor] = [urlOf(request), toMemberActor(visitor, clientIp)]
  return { service, request, url, params, at: fillPath(path, params), visitor, clientIp, actor }
}

/** A path with the values of its parameters. */
export const fillPath = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function redirectToSignIn(request: Request): Response {
  const { pathname, search } = urlOf(request)
  return redirect(
    pathname === '/console' ? '/console/sign-in' : `/console/sign-in?to=${encodeURIComponent(pathname + search)}`,
  )
}

/** An error message for users, and the field at fault. */
type ReadableError = { message: string; field?: string | undefined }

/**
 * Responds with `act`, or with `toPage` if `act` throws an error meant for users. `status` is undefined for a Refusal
 * whose status depends on the request. Other errors are rethrown.
 */
export async function withErrorPages(
  act: () => Promise<Response>,
  toPage: (error: ReadableError, status?: number) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof TooLarge) return toPage(error, 413)
    if (error instanceof StorageDown || error instanceof DamagedProject) return toPage(error, 503)
    if (error instanceof Refusal) return toPage(error)
    if (error instanceof Notice) return toPage(error, 403)
    if (!(error instanceof TooMany)) throw error
    const response = await toPage({ message: `too many attempts; try again in ${error.seconds} seconds` }, 429)
    response.headers.set('Retry-After', String(error.seconds))
    return response
  }
}

function toErrorPage(req: PageRequest, error: string, status: number, fields?: URLSearchParams): Promise<Response> {
  const shown =
    status === 404
      ? { title: 'Not available', body: toUnavailablePage(error) }
      : { title: 'Not done', body: toRefusedPage(error, fields) }
  return toConsolePage(req, { ...shown, section: '', status })
}
