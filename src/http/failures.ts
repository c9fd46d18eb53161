import { Elysia } from 'elysia'
import { toInternalErrorPage, toNotFoundPage } from '../console/error-pages.ts'
import { Refusal, Unauthorized } from '../errors.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toPage } from './page.ts'
import { urlOf } from './request-url.ts'
import { toUnauthorized } from './unauthorized.ts'

/** Turns what any other route throws, or Elysia itself, into JSON of the form `{ error }`, or a page of the console; what is our bug is logged, not shown. */
export function failures(service: Service) {
  return new Elysia({ name: 'failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (error instanceof Unauthorized) return toUnauthorized(error, service.config, request)
    if (error instanceof Refusal) return toFailure(400, error.message)
    const onPage = urlOf(request).pathname.startsWith('/console')
    if (code === 'NOT_FOUND') return onPage ? toNowherePage() : toFailure(404, 'not found')
    if (code === 'PARSE' || code === 'VALIDATION' || code === 'INVALID_FILE_TYPE' || code === 'INVALID_COOKIE_SIGNATURE') {
      return toFailure(400, 'the request is not valid')
    }
    const { message } = toProtocolError(service, error)
    return onPage ? toFailurePage(message) : toFailure(500, message)
  })
}

/** What is answered where even the above failed. */
export function toInternalError(service: Service, error: unknown): Response {
  return toFailure(500, toProtocolError(service, error).message)
}

function toNowherePage(): Response {
  return toPage({ status: 404, title: 'Not found', body: toNotFoundPage() })
}

function toFailurePage(message: string): Response {
  return toPage({ status: 500, title: 'Error', body: toInternalErrorPage(message) })
}

function toFailure(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
