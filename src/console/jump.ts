import { toField, toHiddenFields } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'

/** Somewhere to jump to. */
export type JumpTarget = { path: string; label: string; kind: 'Project' | 'Page' | 'Record' }

type JumpPage = {
  query: string
  /** The path of the page that the visitor comes from. */
  from: string
  targets: JumpTarget[]
}

/** A field and the projects, records and pages that fit what is typed into it. With scripts it opens as a dialog over any page. */
export function toJump({ query, from, targets }: JumpPage): Html {
  return html`<h1>Jump to</h1>
<div id="jump-box">
<form method="get" action="/console/jump" role="search" hx-get="/console/jump" hx-trigger="input changed delay:150ms from:#jump-query, submit" hx-target="#jump-targets" hx-select="#jump-targets" hx-swap="outerHTML" hx-sync="this:replace">
${toHiddenFields({ from })}
${toField({ id: 'jump-query', name: 'q', label: 'A project, record or page', type: 'search', value: query, maxlength: 200, isFocused: true })}
<div class="actions unscripted"><button class="main">Search</button></div>
</form>
<ul class="targets" id="jump-targets">${targets.length === 0 ? html`<li class="quiet">Nothing fits.</li>` : targets.map(toItem)}</ul>
</div>`
}

function toItem({ path, label, kind }: JumpTarget): Html {
  return html`<li><a href="${path}"><bdi>${label}</bdi><small>${kind}</small></a></li>\n`
}
