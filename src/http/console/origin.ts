import type { Visit } from './visit.ts'

/**
 * Where people and their assistants reach the service: the public address or, where none is set, the one this browser uses. Of a form the
 * browser itself tells it; behind a proxy the request does not.
 */
export function originOf({ service, request, url }: Visit): string {
  return service.config.publicUrl ?? request.headers.get('origin') ?? url.origin
}
