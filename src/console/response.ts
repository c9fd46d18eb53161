import { toBody } from '../http/chunks.ts'
import type { Service } from '../service.ts'
import type { Done } from './done-messages.ts'
import { toCard } from './markup/document.ts'
import type { Html, RefusedForm } from './markup/html.ts'

type PageOptions = {
  status?: number
  /**
   * Sources for `form-action` in the content security policy, in addition to `'self'`: where forms may post or be
   * redirected to.
   */
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
 * A document as a response that runs no scripts except, with `isScripted`, those of this service, loads nothing from
 * other origins, cannot be framed and is not cached.
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

type Download = {
  /** The file in pieces, generated as fast as the client reads it. */
  pieces: AsyncGenerator<string | Uint8Array, void>
  /** The media type, without a character set. */
  type: string
  /** The file name without its extension. Only letters and digits of it are used, since people choose names. */
  name: string
  extension: string
}

const MAX_NAME_CHARACTERS = 100

/** A text that a browser saves as a file instead of showing it. */
export function toDownload(service: Service, { pieces, type, name, extension }: Download): Response {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, MAX_NAME_CHARACTERS)
  return new Response(toBody(service, pieces), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${plain}.${extension}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  })
}

type RedirectOptions = {
  headers?: Record<string, string>
  query?: Record<string, string | number>
  anchor?: string | undefined
}

/**
 * A redirect (303) to a page; `done` is the key of the message it shows, and `query` has the values of that message.
 */
export function redirect(
  path: string,
  done?: Done,
  { headers = {}, query = {}, anchor }: RedirectOptions = {},
): Response {
  const separator = path.includes('?') ? '&' : '?'
  const parts = new URLSearchParams(done === undefined ? {} : { done })
  for (const [name, value] of Object.entries(query)) parts.set(name, String(value))
  const location = `${path}${parts.size === 0 ? '' : `${separator}${parts}`}${anchor === undefined ? '' : `#${anchor}`}`
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', ...headers } })
}
