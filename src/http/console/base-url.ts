import type { PageRequest } from './page-request.ts'

/**
 * Where people and their assistants reach the service: the public address or, where none is set, the one this browser uses. Of a form the
 * browser itself tells it; behind a proxy the request does not.
 */
export function toBaseUrl({ service, request, url }: PageRequest): string {
  return service.config.publicUrl ?? request.headers.get('origin') ?? url.origin
}
