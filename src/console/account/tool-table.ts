import { SECOND_MS } from '../../clock.ts'
import { switchTools } from '../../gateway/change-integration.ts'
import type { IntegrationUse, UseSummary } from '../../gateway/integration-use.ts'
import type { ToolReview } from '../../gateway/tool-changes.ts'
import type { DiffLine } from '../../gateway/tool-diff.ts'
import type { Integration, ToolList } from '../../store/integration.ts'
import { SHOWN, toButton, toHiddenFields } from '../markup/form.ts'
import { toCount } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, numeric, short, toBadge, toCountedHeading, toTable } from '../markup/table.ts'
import type { Answer } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { ALL_CALLS } from '../project/calls.ts'
import { redirectUndoable } from '../response.ts'
import type { IntegrationRequest } from './integration-settings.ts'

/**
 * A tool of an integration's server as last seen; without a title if it is not on the allow-list, or no longer offered
 * by the server.
 */
type Row = { name: string; title: string | undefined; readOnly: boolean | undefined; isOn: boolean; isOffered: boolean }

type ToolTable = {
  integration: Integration
  /** Undefined if its server was never asked. */
  list: ToolList | undefined
  /** Names of tools that are withheld. */
  withheld: ReadonlySet<string>
  use: IntegrationUse
}

/** The field with the tools that were on when the page was made: only those that differ are switched. */
const SHOWN_TOOL = `${SHOWN}tool`

const COLUMNS = [
  short('On'),
  long('Tool'),
  short('Kind'),
  numeric('Calls'),
  numeric('Errors'),
  numeric('95th percentile'),
]

/** The tools of an integration, with a switch and the usage of seven days for each. */
export function toToolTable(path: string, { integration, list, withheld, use }: ToolTable): Html {
  const rows = toRows(integration, list)
  if (rows.length === 0)
    return html`<section><h2>Tools</h2><p class="nothing">Its tools are listed here once a test has succeeded.</p></section>`
  const cells = rows.map((row, at) => [
    html`<input type="checkbox" role="switch" id="switch-${at}" name="tool" value="${row.name}" aria-labelledby="tool-${at}"${row.isOn ? html` checked` : undefined}>`,
    html`<span id="tool-${at}"><bdi>${row.name}</bdi></span>${row.title === undefined || row.title === row.name ? undefined : html`<span class="under"><bdi>${row.title}</bdi></span>`}`,
    toKind(integration, row, withheld),
    ...toUse(use.byTool.get(row.name), `${integration.slug}.${row.name}`),
  ])
  return html`<section>${toCountedHeading('Tools', rows.length)}
<p class="quiet">Assistants neither see nor call a tool that is off. While all are on, new tools of the server are on too, once accepted. Calls are those of the last 7 days in the projects for which it is enabled now.</p>
<form method="post" action="${path}/tools" class="switches" hx-post="${path}/tools" hx-trigger="change, submit" hx-target="#main" hx-select="#main" hx-swap="outerHTML" hx-sync="this:queue last">
${toHiddenFields(rows.filter(({ isOn }) => isOn).map(({ name }) => [SHOWN_TOOL, name]))}
${toTable('Tools of the integration', COLUMNS, cells)}
<div class="actions unscripted"><button>Save</button></div>
</form></section>`
}

/** All known tools: those in use, those not on the allow-list, and those on it that the server does not offer. */
function toRows({ tools: picked }: Integration, list: ToolList | undefined): Row[] {
  const known: Omit<Row, 'isOn'>[] = [
    ...(list?.tools ?? []).map(({ name, title, readOnly }) => ({ name, title, readOnly, isOffered: true })),
    ...(list?.unpicked ?? []).map((tool) => ({ ...tool, title: undefined, isOffered: true })),
    ...(picked ?? []).map((name) => ({
      name,
      title: undefined,
      readOnly: undefined,
      isOffered: list === undefined,
    })),
  ]
  const rows = known.map((row): Row => ({ ...row, isOn: picked?.includes(row.name) ?? true }))
  const first = new Map(rows.toReversed().map((row) => [row.name, row]))
  return [...first.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toKind(
  { mode }: Integration,
  { name, readOnly, isOffered }: Row,
  withheld: ReadonlySet<string>,
): Html | string {
  if (withheld.has(name)) return toBadge('withheld', 'warn')
  if (!isOffered) return toBadge('not offered', 'warn')
  if (readOnly === undefined) return '–'
  if (readOnly) return toBadge('read-only', 'good')
  return mode === 'read-write'
    ? toBadge('may write')
    : html`${toBadge('may write')}<span class="under">refused: the mode is read-only</span>`
}

/** Calls, errors and the 95th percentile, as cells of a row. */
function toUse(use: UseSummary | undefined, tool: string): (Html | string)[] {
  if (use === undefined || use.calls === 0) return ['0', '0', '–']
  const errors = use.errors === 0 ? '0' : html`<a href="${toQueryPath(ALL_CALLS, { tool })}">${toCount(use.errors)}</a>`
  return [toCount(use.calls), errors, toDuration(use.p95Ms)]
}

/** In milliseconds, or from one second on in seconds. A dash for undefined. */
export function toDuration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return milliseconds < SECOND_MS ? `${milliseconds} ms` : `${toCount(milliseconds / SECOND_MS)} s`
}

/**
 * The tools that are withheld, with what changed and the buttons that accept it; undefined if there is none. `diffs`
 * has the lines of each change.
 */
export function toToolChanges(
  path: string,
  { changes, total, seen }: ToolReview,
  diffs: DiffLine[][],
): Html | undefined {
  if (total === 0) return undefined
  const items = changes.map(({ before, after: { name } }, at) => {
    const badge = before === undefined ? toBadge('new', 'warn') : toBadge('changed', 'warn')
    return html`<li class="change"><h3><bdi>${name}</bdi> ${badge}</h3>
<pre class="content diff" tabindex="0">${(diffs[at] ?? []).map(toLine)}</pre>
<div class="actions">${toButton(`${path}/accept`, 'Accept', { fields: { seen, tool: name }, about: name })}</div></li>`
  })
  return html`<section class="panel">${toCountedHeading('Withheld tools', total)}
<p>The server has changed or added these since its tools were last accepted. Assistants read the description of a tool like an instruction, so no key sees or calls these before you accept them.</p>
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

/** Switches the tools that were switched since the page was made; the undo switches the same ones back. */
export async function changeTools(req: IntegrationRequest, form: URLSearchParams): Promise<Answer> {
  const [ticked, shown] = [new Set(form.getAll('tool')), new Set(form.getAll(SHOWN_TOOL))]
  const [on, off] = [ticked.difference(shown), shown.difference(ticked)]
  await switchTools(req.service, req.actor, req.integration, { on, off })
  const fields = (name: string, tools: Set<string>) => [...tools].map((tool): [string, string] => [name, tool])
  return redirectUndoable(req, 'integration.switched', { fields: [...fields('tool', off), ...fields(SHOWN_TOOL, on)] })
}
