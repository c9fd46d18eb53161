import { Elysia } from 'elysia'

/** Replaces a missing host (HTTP/1.0). RFC 6761 reserves the name. */
const NO_HOST = 'http://host.invalid'

/** Whether the request has a valid `Host`, or none, as in HTTP/1.0. */
function hasUsableHost({ url, headers }: Request): boolean {
  return URL.canParse(url) || headers.get('host') === null
}

/** The URL of a request. Never throws: without a valid host, `host.invalid` takes its place. */
export function urlOf({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? URL.parse(`${NO_HOST}${url.startsWith('/') ? url : '/'}`) ?? new URL(NO_HOST)
}

/** Answers 400 to a request with an invalid `Host`, before any route. */
export const invalidHost = new Elysia({ name: 'invalid-host' }).onRequest(({ request }) => {
  if (!hasUsableHost(request)) return Response.json({ error: 'the Host header is not valid' }, { status: 400 })
})
