import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** A complete HTML document around a `body` element. It has no scripts and loads nothing but the style sheet. */
export function toDocument(title: string, body: Html): string {
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
${body}
</html>
`
  return markup
}

/** A document with one card in the middle and no menus: signing in, OAuth, errors. */
export function toCard(title: string, body: Html): string {
  return toDocument(
    title,
    html`<body class="lone">
<div class="sheet">
<p class="brand">memsvc</p>
<main class="card">
${body}
</main>
</div>
</body>`,
  )
}
