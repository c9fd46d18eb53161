import { type Html, html } from '../console/html.ts'
import { STYLE } from '../console/style.ts'

export type Page = {
  status?: number
  title: string
  body: Html
  /** Where forms of the page may lead, directly or by redirect, besides this service: sources of a content security policy. */
  formsTo?: string[]
  headers?: Record<string, string>
}

/** A page of the service: no scripts, nothing from elsewhere, in no frame, kept nowhere. */
export function toPage({ status = 200, title, body, formsTo = [], headers = {} }: Page): Response {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · memsvc</title>
<link rel="stylesheet" href="${STYLE.path}">
</head>
<body>
<div class="sheet">
<p class="brand">memsvc</p>
<main class="card">
${body}
</main>
</div>
</body>
</html>
`
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
