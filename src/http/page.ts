import { toCard } from '../console/markup/document.ts'
import type { Html } from '../console/markup/html.ts'

export type PageOptions = {
  status?: number
  /** Where forms of the page may lead, directly or by redirect, besides this service: sources of a content security policy. */
  formsTo?: string[]
  headers?: Record<string, string>
}

/** A page about one thing, on a card. */
export function toPage({ title, body, ...page }: PageOptions & { title: string; body: Html }): Response {
  return toPageResponse(toCard(title, body), page)
}

/** Markup as a page of the service: no scripts, nothing from elsewhere, in no frame, kept nowhere. */
export function toPageResponse(markup: string, { status = 200, formsTo = [], headers = {} }: PageOptions = {}): Response {
  const policy = `default-src 'none'; style-src 'self'; form-action ${["'self'", ...formsTo].join(' ')}; frame-ancestors 'none'; base-uri 'none'`
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
