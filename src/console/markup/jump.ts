import { toField, toHiddenFields } from './form.ts'
import { type Html, html } from './html.ts'

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

/**
 * A field, and the projects, records and pages that match its text. With scripts it opens as a dialog over any page.
 */
export function toJump({ query, from, targets, isOfProject }: JumpPage): Html {
  return html`<h1>Jump to</h1>
${toJumpForm(query, from, isOfProject)}
${toTargets(query, targets, isOfProject)}`
}

/** The same form as a dialog, without targets until something is typed. */
export function toJumpDialog(from: string, isOfProject: boolean): Html {
  const label = `Jump to a ${toKinds(isOfProject)}`
  return html`<dialog id="jump" aria-label="${label}">${toJumpForm('', from, isOfProject)}${toTargets('', undefined, isOfProject)}</dialog>`
}

const toKinds = (isOfProject: boolean): string => (isOfProject ? 'project, record or page' : 'project or page')

function toJumpForm(query: string, from: string, isOfProject: boolean): Html {
  return html`<form method="get" action="${JUMP_PATH}" role="search" hx-get="${JUMP_PATH}" hx-trigger="input changed delay:150ms from:#jump-query, submit, open" hx-target="#jump-targets" hx-select="#jump-targets" hx-swap="outerHTML" hx-sync="this:replace">
${toHiddenFields({ from })}
${toField({ id: 'jump-query', name: 'q', label: `A ${toKinds(isOfProject)}`, type: 'search', value: query, maxlength: 200 })}
<div class="actions unscripted"><button class="main">Search</button></div>
</form>`
}

function toTargets(query: string, targets: JumpTarget[] | undefined, isOfProject: boolean): Html {
  const nothing = isOfProject ? 'Nothing found.' : 'Nothing found. To find records, open their project first.'
  return html`<ul class="targets" id="jump-targets" data-query="${query}">${targets?.length === 0 ? html`<li class="quiet">${nothing}</li>` : targets?.map(toItem)}</ul>`
}

function toItem({ path, label, kind }: JumpTarget): Html {
  return html`<li><a href="${path}"><bdi>${label}</bdi><small>${kind}</small></a></li>\n`
}
