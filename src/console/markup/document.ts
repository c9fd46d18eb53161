import { MARK, SCRIPT, STYLE } from '../assets/assets.ts'
import { type Html, html, type RenderContext } from './html.ts'

/**
 * Settings of htmx: nothing that the content security policy forbids, requests only to this service, and no copies of
 * pages in the browser's storage, which would outlive the session. What is swapped in takes clicks at once: those before
 * htmx has settled would be lost.
 */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  scrollBehavior: 'auto',
  defaultSettleDelay: 0,
  responseHandling: [
    { code: '204', swap: false },
    { code: '...', swap: true },
  ],
})

type DocumentParts = {
  title: string
  body: Html
  /** Whether the page loads the console's script. */
  isScripted?: boolean
  context?: RenderContext
}

/**
 * A complete HTML document around a `body` element, with the style sheet, the icon and, if `isScripted`, the script.
 * The title says if a form was refused.
 */
export function toDocument({ title, body, isScripted = false, context = {} }: DocumentParts): string {
  const scripts = html`<meta name="htmx-config" content="${HTMX_CONFIG}">
<script src="${SCRIPT.path}" defer></script>\n`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${context.refused === undefined ? undefined : 'Error: '}${title} · memsvc</title>
<link rel="icon" type="image/svg+xml" href="${MARK.path}">
<link rel="stylesheet" href="${STYLE.path}">
${isScripted ? scripts : undefined}</head>
${body}
</html>
`.render(context)
}

/** A document with a single card and no menus, for signing in, OAuth and errors. */
export function toCard(title: string, content: Html, context: RenderContext = {}): string {
  const body = html`<body class="lone">
<div class="sheet">
<p class="brand">memsvc</p>
<main class="card">
${content}
</main>
</div>
</body>`
  return toDocument({ title, body, context })
}
