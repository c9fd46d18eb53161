import { toField, toHiddenFields } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'

/** The path of the page. */
export const JUMP_PATH = '/console/jump'

/** A target of a jump. */
export type JumpTarget = { path: string; label: string; kind: 'Project' | 'Page' | 'Record' }

type JumpPage = {
  query: string
  /** The path of the page that the visitor comes from. */
  from: string
  targets: JumpTarget[]
  /** Whether the records of a project were searched. */
  isOfProject: boolean
}

/** A field, and the projects, records and pages that match its text. With scripts it opens as a dialog over any page. */
export function toJump({ query, from, targets, isOfProject }: JumpPage): Html {
  return html`<h1>Jump to</h1>
${toJumpForm(query, from)}
${toTargets(query, targets, isOfProject)}`
}

/** The same form as a dialog, without targets until something is typed. */
export function toJumpDialog(from: string): Html {
  return html`<dialog id="jump" aria-label="Jump to a project, record or page">${toJumpForm('', from)}${toTargets('', undefined, true)}</dialog>`
}

function toJumpForm(query: string, from: string): Html {
  return html`<form method="get" action="${JUMP_PATH}" role="search" hx-get="${JUMP_PATH}" hx-trigger="input changed delay:150ms from:#jump-query, submit, open" hx-target="#jump-targets" hx-select="#jump-targets" hx-swap="outerHTML" hx-sync="this:replace">
${toHiddenFields({ from })}
${toField({ id: 'jump-query', name: 'q', label: 'A project, record or page', type: 'search', value: query, maxlength: 200 })}
<div class="actions unscripted"><button class="main">Search</button></div>
</form>`
}

function toTargets(query: string, targets: JumpTarget[] | undefined, isOfProject: boolean): Html {
  const nothing = isOfProject ? 'Nothing found.' : 'Nothing found. Records are found from within their project: open it first.'
  return html`<ul class="targets" id="jump-targets" data-query="${query}">${targets?.length === 0 ? html`<li class="quiet">${nothing}</li>` : targets?.map(toItem)}</ul>`
}

function toItem({ path, label, kind }: JumpTarget): Html {
  return html`<li><a href="${path}"><bdi>${label}</bdi><small>${kind}</small></a></li>\n`
}
