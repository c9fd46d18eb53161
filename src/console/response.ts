import { findUndo, keepUndo } from '../account/undo.ts'
import { Refusal } from '../errors.ts'
import { toBody } from '../http/chunks.ts'
import type { Service } from '../service.ts'
import type { Done } from './done-messages.ts'
import { toCard } from './markup/document.ts'
import { toButton } from './markup/form.ts'
import type { Html, RefusedForm } from './markup/html.ts'
import type { Action, PageRequest } from './page.ts'

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

type Fields = Record<string, string> | [name: string, value: string][]

/** The fields of the form that undoes an act, and its path unless it is the form of the act itself. */
export type Undoing = { action?: string; fields?: Fields }

/**
 * The action of a form: does `act`, then redirects with `message` and a button that undoes it. `toUndoing` reads the
 * values to restore before the act; where it returns undefined, there is no button.
 */
export function undoable<Req extends PageRequest>(
  message: Done,
  act: (req: Req, form: URLSearchParams) => unknown,
  toUndoing: (req: Req, form: URLSearchParams) => Undoing | undefined,
): Action<Req> {
  return async (req, form) => {
    const undoing = toUndoing(req, form)
    await act(req, form)
    return redirectUndoable(req, message, undoing)
  }
}

/** Redirects to the page with a message that can undo the act; without `undoing`, with the message alone. */
export async function redirectUndoable(req: PageRequest, message: Done, undoing?: Undoing, path = req.at) {
  const { action = req.url.pathname, fields } = undoing ?? {}
  return redirect(path, message, undoing && { query: await offerUndo(req, action, fields) })
}

/**
 * Lets the visitor undo what was just done, for ten minutes: by a button in the message after it, which posts these
 * fields to `action`, the path of a form of the console. Any act that has such a form can be undone; the form checks
 * rights as always. Returns what the redirect's query must have.
 */
export async function offerUndo(
  { service, visitor }: Pick<PageRequest, 'service' | 'visitor'>,
  action: string,
  fields: Fields = {},
): Promise<{ undo: string }> {
  const entries = Array.isArray(fields) ? fields : Object.entries(fields)
  return { undo: await keepUndo(service, visitor.member, { action, fields: entries }) }
}

/** The button that undoes the act named in the page's address, and returns to `back`; undefined if it no longer can. */
export async function toUndoButton({ service, visitor, url }: PageRequest, back: string): Promise<Html | undefined> {
  const id = url.searchParams.get('undo')
  const undo = id === null ? undefined : await findUndo(service, visitor.member, id)
  return undo && toButton(undo.action, 'Undo', { fields: { undo: undo.id, back } })
}

/**
 * The form as posted or, if it undoes something, as it was kept for that.
 *
 * @throws Refusal if it was kept for somebody else or another form, or more than ten minutes ago.
 */
export async function fillUndo({ service, visitor, url }: PageRequest, form: URLSearchParams) {
  const id = form.get('undo')
  if (id === null) return { form, isUndo: false }
  const undo = await findUndo(service, visitor.member, id)
  if (undo?.action !== url.pathname) throw new Refusal('it can no longer be undone')
  const own = ['back', 'form'].map((name): [string, string] => [name, form.get(name) ?? ''])
  return { form: new URLSearchParams([...undo.fields, ...own]), isUndo: true }
}
