import { html } from '../../console/markup/html.ts'
import { toPage } from '../page.ts'

type Refused = {
  status: number
  reason: string
  /** The code by which the makers of the application find out. */
  code?: string
  /** Where the application waits for the answer. Never followed without the person: anybody may register an application. */
  back?: { host: string; href: string }
  headers?: Record<string, string>
}

/** The page that ends a request for access which cannot be put to a person. */
export function toRefusedPage({ status, reason, code, back, headers }: Refused): Response {
  const body = html`<h1>This connection cannot be made</h1>
<p>${reason}</p>
${code === undefined ? undefined : html`<p class="quiet">For the makers of the application: <code>${code}</code></p>`}
${back === undefined ? undefined : html`<div class="actions"><a class="button" href="${back.href}">Return to ${back.host}</a></div>`}`
  return toPage({ status, title: 'Cannot connect', body, ...(headers && { headers }) })
}
