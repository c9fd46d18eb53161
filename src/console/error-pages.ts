import { Elysia } from 'elysia'
import { Refusal, StorageRefusal, Unauthorized } from '../errors.ts'
import { INVALID } from '../http/failures.ts'
import { urlOf } from '../http/request.ts'
import { toProtocolError } from '../mcp/reply.ts'
import type { Service } from '../service.ts'
import { toHiddenFields } from './markup/form.ts'
import { countOf, toSentence } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { redirect, toPage } from './response.ts'

const HOME_LINK = html`<p><a href="/console">All projects</a></p>`

/** The page for an unknown path. */
export function toNotFoundPage(): Html {
  return html`<h1>Not found</h1><p>There is no such page.</p>${HOME_LINK}`
}

/** The page in place of one that cannot be shown to this visitor. */
export function toUnavailablePage(reason: string): Html {
  return html`<h1>Not available</h1><p>${toSentence(reason)}</p>${HOME_LINK}`
}

/** The fields in which people write texts, and their labels. */
const TEXT_FIELDS: Record<string, string> = {
  content: 'Text',
  text: 'Text',
  why: 'Why it should be saved',
  fact_key: 'Fact key',
  source_id: 'Source',
  name: 'Name',
  url: 'Address',
}

/**
 * The page for a refused form that has no page of its own, or not any more: with the texts that were typed, to be
 * copied.
 */
export function toRefusedPage(reason: string, fields = new URLSearchParams()): Html {
  const typed = Object.entries(TEXT_FIELDS).flatMap(([name, label]) =>
    fields.get(name) ? [{ label, text: fields.get(name) ?? '' }] : [],
  )
  const texts = typed.map(({ label, text }) => html`<h3>${label}</h3>\n<pre class="paste" dir="auto">\n${text}</pre>\n`)
  return html`<h1>Not done</h1><p>${toSentence(reason)}</p>${texts.length === 0 ? undefined : html`<h2>What you typed</h2>\n${texts}`}${HOME_LINK}`
}

/** The response to a request that another site may have sent. */
export function toForeignPage(): Response {
  const body = html`<h1>This came from another page</h1><p>The request was not sent by a page of this service, so nothing was done.</p>`
  return toPage({ status: 403, title: 'Refused', body })
}

/** The page for an internal error; `message` identifies the line of the log. */
function toInternalErrorPage(message: string): Html {
  return html`<h1>Something went wrong here</h1><p>The log of the service has it: <code>${message}</code></p>`
}

/** Names of fields that no page writes back. */
const SECRET_FIELDS = ['password', 'old', 'credential']

/**
 * The response to a form beyond the rate limit: how long to wait, and the same form to send again, without secrets.
 * Reads nothing from the store, so that a client that sends too many forms costs little.
 */
export function toWaitPage(request: Request, form: URLSearchParams, seconds: number): Response {
  const body = html`<h1>Wait a moment</h1>
<p class="alarm" role="alert">You have sent too many forms. This one did nothing. Try again in ${countOf(seconds, 'second')}.</p>
${toSameForm(request, form)}`
  return toPage({ status: 429, title: 'Wait a moment', body, headers: { 'Retry-After': String(seconds) } })
}

/**
 * The response to a form sent after the session had ended: a link to sign in, and the same form to send again, without
 * secrets. One without fields leads there at once.
 */
export function toSessionEnded(request: Request, form: URLSearchParams): Response {
  if (form.size === 0) return redirect('/console/sign-in')
  const body = html`<h1>Your session has ended</h1>
<p class="alarm" role="alert">Nothing was done yet.</p>
<p><a href="/console/sign-in" target="_blank">Sign in</a> in a new tab, then come back and send it again.</p>
${toSameForm(request, form)}`
  return toPage({ status: 401, title: 'Your session has ended', body })
}

function toSameForm(request: Request, form: URLSearchParams): Html {
  const [action, fields] = [urlOf(request).pathname, [...form]]
  const kept = fields.filter(([name]) => !SECRET_FIELDS.includes(name))
  return html`<p>What you typed is kept on this page${kept.length < fields.length ? ', except for passwords and credentials' : ''}.</p>
<form method="post" action="${action}">${toHiddenFields(kept)}
<div class="actions"><button class="main">Send it again</button><a class="button" href="/console">All projects</a></div>
</form>`
}

/**
 * Converts errors below `/console` into pages, except those that say that a request is not valid. Must be used before
 * `failures`, which handles the rest.
 */
export function pageFailures(service: Service) {
  return new Elysia({ name: 'console/failures' }).onError({ as: 'global' }, ({ code, error, request }) => {
    if (!urlOf(request).pathname.startsWith('/console') || error instanceof Unauthorized) return undefined
    if (error instanceof StorageRefusal)
      return toPage({ status: 503, title: 'Not now', body: toRefusedPage(error.message) })
    if (error instanceof Refusal || INVALID.has(code)) return undefined
    if (code === 'NOT_FOUND') return toPage({ status: 404, title: 'Not found', body: toNotFoundPage() })
    return toPage({ status: 500, title: 'Error', body: toInternalErrorPage(toProtocolError(service, error).message) })
  })
}
