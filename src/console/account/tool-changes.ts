import type { ToolReview } from '../../gateway/tool-changes.ts'
import type { DiffLine } from '../../gateway/tool-diff.ts'
import { toButton } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'

/** The tools that are withheld, with what changed and the buttons that accept it; undefined if there is none. `diffs` has the lines of each change. */
export function toToolChanges(path: string, { changes, total, seen }: ToolReview, diffs: DiffLine[][]): Html | undefined {
  if (total === 0) return undefined
  const items = changes.map(({ before, after: { name } }, at) => {
    const badge = before === undefined ? toBadge('new', 'warn') : toBadge('changed', 'warn')
    return html`<li class="change"><h3><bdi>${name}</bdi> ${badge}</h3>
<pre class="content diff" tabindex="0">${(diffs[at] ?? []).map(toLine)}</pre>
<div class="actions">${toButton(`${path}/accept`, 'Accept', { fields: { seen, tool: name }, about: name })}</div></li>`
  })
  return html`<section class="panel"><h2>Withheld tools</h2>
<p>Its server has changed or added these since they were accepted. What it says of a tool is read by assistants as if it were part of their instructions, so no key sees or calls them before you accept them.</p>
<ul class="records">${items}</ul>
${total > changes.length ? html`<p class="quiet">${total - changes.length} more are shown once these are accepted.</p>` : undefined}
${changes.length > 1 ? html`<div class="actions">${toButton(`${path}/accept`, `Accept all ${changes.length}`, { fields: { seen }, look: 'main' })}</div>` : undefined}
</section>`
}

function toLine({ kind, text }: DiffLine): Html {
  if (kind === 'added') return html`<ins>+ ${text}</ins>\n`
  if (kind === 'removed') return html`<del>- ${text}</del>\n`
  return html`<span>  ${text}</span>\n`
}
