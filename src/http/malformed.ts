import { Elysia } from 'elysia'
import { hasUsableHost } from './request-url.ts'

/** Answers 400 to a request whose `Host` no address can be made of, before any route sees it. */
export const malformed = new Elysia({ name: 'malformed' }).onRequest(({ request }) => {
  if (!hasUsableHost(request)) return Response.json({ error: 'the Host header is not valid' }, { status: 400 })
})
