import { toCard } from '../console/markup/document.ts'
import type { Html, RefusedForm } from '../console/markup/html.ts'

export type PageOptions = {
  status?: number
  /** Sources for `form-action` in the content security policy, in addition to `'self'`: where forms may post or be redirected to. */
  formsTo?: string[]
  headers?: Record<string, string>
  /** Whether the page runs the scripts of this service, which may send requests to it. */
  isScripted?: boolean
}

type Card = PageOptions & {
  title: string
  body: Html
  /** The refused form that this page answers. */
  refused?: RefusedForm | undefined
}

/** A page with one card and no menus. */
export function toPage({ title, body, refused, ...page }: Card): Response {
  return toPageResponse(toCard(title, body, { refused }), page)
}

/**
 * A document as a response that runs no scripts except, with `isScripted`, those of this service, loads nothing from other origins, cannot be framed and is
 * not cached.
 */
export function toPageResponse(
  markup: string,
  { status = 200, formsTo = [], headers = {}, isScripted = false }: PageOptions = {},
): Response {
  const scripts = isScripted ? " script-src 'self'; connect-src 'self';" : ''
  const policy = `default-src 'none'; style-src 'self'; img-src 'self';${scripts} form-action ${["'self'", ...formsTo].join(' ')}; frame-ancestors 'none'; base-uri 'none'`
  return new Response(markup, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      // Not `no-referrer`: under it a browser posts our own forms with `Origin: null`.
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}
