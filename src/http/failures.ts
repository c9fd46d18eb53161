import { Elysia } from 'elysia'
import { toInternalErrorPage, toNotFoundPage, toRefusedPage } from '../console/error-pages.ts'
import { DamagedProject, Refusal, StorageDown, Unauthorized } from '../errors.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toPage } from './page.ts'
import { urlOf } from './request-url.ts'
import { toUnauthorized } from './unauthorized.ts'

/**
 * Converts errors thrown by routes, or by Elysia itself, into JSON `{ error }` or, below `/console`, into a page. Unexpected errors are logged, and the
 * client gets only the request id.
 */
export function failures(service: Service) {
  return new Elysia({ name: 'failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (error instanceof Unauthorized) return toUnauthorized(error, service.config, request)
    const onPage = urlOf(request).pathname.startsWith('/console')
    if (error instanceof StorageDown || error instanceof DamagedProject)
      return onPage ? toDownPage(error.message) : toErrorJson(503, error.message)
    if (error instanceof Refusal) return toErrorJson(400, error.message)
    if (code === 'NOT_FOUND') return onPage ? toNotFound() : toErrorJson(404, 'not found')
    if (code === 'PARSE' || code === 'VALIDATION' || code === 'INVALID_FILE_TYPE' || code === 'INVALID_COOKIE_SIGNATURE') {
      return toErrorJson(400, 'the request is not valid')
    }
    const { message } = toProtocolError(service, error)
    return onPage ? toErrorPage(message) : toErrorJson(500, message)
  })
}

/** The answer to an error outside of the routes. */
export function toInternalError(service: Service, error: unknown): Response {
  return toErrorJson(500, toProtocolError(service, error).message)
}

function toNotFound(): Response {
  return toPage({ status: 404, title: 'Not found', body: toNotFoundPage() })
}

function toDownPage(message: string): Response {
  return toPage({ status: 503, title: 'Not now', body: toRefusedPage(message) })
}

function toErrorPage(message: string): Response {
  return toPage({ status: 500, title: 'Error', body: toInternalErrorPage(message) })
}

function toErrorJson(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
