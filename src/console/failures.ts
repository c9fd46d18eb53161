import { Elysia } from 'elysia'
import { DamagedProject, Refusal, StorageDown, Unauthorized } from '../errors.ts'
import { urlOf } from '../http/request-url.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toInternalErrorPage, toNotFoundPage, toRefusedPage } from './error-pages.ts'
import { toPage } from './response.ts'

/** Codes of errors for which Elysia refuses a request before its route. */
const INVALID = new Set<unknown>(['PARSE', 'VALIDATION', 'INVALID_FILE_TYPE', 'INVALID_COOKIE_SIGNATURE'])

/** Converts errors below `/console` into pages, except those that say that a request is not valid. Must be used before `failures`, which handles the rest. */
export function pageFailures(service: Service) {
  return new Elysia({ name: 'console/failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (!urlOf(request).pathname.startsWith('/console') || error instanceof Unauthorized) return undefined
    if (error instanceof StorageDown || error instanceof DamagedProject) {
      return toPage({ status: 503, title: 'Not now', body: toRefusedPage(error.message) })
    }
    if (error instanceof Refusal || INVALID.has(code)) return undefined
    if (code === 'NOT_FOUND') return toPage({ status: 404, title: 'Not found', body: toNotFoundPage() })
    return toPage({ status: 500, title: 'Error', body: toInternalErrorPage(toProtocolError(service, error).message) })
  })
}
