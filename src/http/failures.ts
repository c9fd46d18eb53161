import { Elysia } from 'elysia'
import { Refusal, Unauthorized } from '../errors.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toUnauthorized } from './unauthorized.ts'

/** Turns what any other route throws, or Elysia itself, into JSON of the form `{ error }`; what is our bug is logged, not shown. */
export function failures(service: Service) {
  return new Elysia({ name: 'failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (error instanceof Unauthorized) return toUnauthorized(error, service.config, request)
    if (error instanceof Refusal) return toFailure(400, error.message)
    if (code === 'NOT_FOUND') return toFailure(404, 'not found')
    if (code === 'PARSE' || code === 'VALIDATION' || code === 'INVALID_FILE_TYPE' || code === 'INVALID_COOKIE_SIGNATURE') {
      return toFailure(400, 'the request is not valid')
    }
    return toFailure(500, toProtocolError(service, error).message)
  })
}

function toFailure(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
