import { Elysia } from 'elysia'
import { Refusal, StorageRefusal, Unauthorized } from '../errors.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toUnauthorized } from './unauthorized.ts'

/** Codes of errors for which Elysia refuses a request before its route. */
export const INVALID = new Set<unknown>(['PARSE', 'VALIDATION', 'INVALID_FILE_TYPE', 'INVALID_COOKIE_SIGNATURE'])

/**
 * Converts errors thrown by routes, or by Elysia itself, into JSON `{ error }`. Unexpected errors are logged, and the
 * client gets only the request id.
 */
export function failures(service: Service) {
  return new Elysia({ name: 'failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (error instanceof Unauthorized) return toUnauthorized(error, service.config, request)
    if (error instanceof StorageRefusal) return toErrorJson(503, error.message)
    if (error instanceof Refusal) return toErrorJson(400, error.message)
    if (code === 'NOT_FOUND') return toErrorJson(404, 'not found')
    if (INVALID.has(code)) return toErrorJson(400, 'the request is not valid')
    return toInternalError(service, error)
  })
}

/** The answer to an error outside of the routes. */
export function toInternalError(service: Service, error: unknown): Response {
  return toErrorJson(500, toProtocolError(service, error).message)
}

function toErrorJson(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
