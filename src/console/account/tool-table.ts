import { SECOND_MS } from '../../clock.ts'
import type { IntegrationUse, UseSummary } from '../../gateway/integration-use.ts'
import type { Integration, ToolList } from '../../store/integration.ts'
import { toCount } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, numeric, short, toBadge, toTable } from '../markup/table.ts'

/** A tool of an integration's server as last seen; without a title if it is not on the allow-list, or no longer offered by the server. */
type Row = { name: string; title: string | undefined; readOnly: boolean | undefined; isOn: boolean; isOffered: boolean }

type ToolTable = {
  integration: Integration
  /** Undefined if its server was never asked. */
  list: ToolList | undefined
  /** Names of tools that are withheld. */
  withheld: ReadonlySet<string>
  use: IntegrationUse
}

const COLUMNS = [short('On'), long('Tool'), short('Kind'), numeric('Calls'), numeric('Errors'), numeric('95th percentile')]

/** The tools of an integration, with a switch and the usage of seven days for each. */
export function toToolTable(path: string, { integration, list, withheld, use }: ToolTable): Html {
  const rows = toRows(integration, list)
  if (rows.length === 0)
    return html`<section><h2>Tools</h2><p class="nothing">Its tools are listed here once a test has succeeded.</p></section>`
  const cells = rows.map((row, at) => [
    html`<input type="checkbox" role="switch" name="tool" value="${row.name}" aria-labelledby="tool-${at}"${row.isOn ? html` checked` : undefined}>`,
    html`<span id="tool-${at}"><bdi>${row.name}</bdi></span>${row.title === undefined || row.title === row.name ? undefined : html`<span class="under"><bdi>${row.title}</bdi></span>`}`,
    toKind(integration, row, withheld),
    ...toUse(use.byTool.get(row.name)),
  ])
  return html`<section><h2>Tools</h2>
<p class="quiet">A tool that is off is neither listed nor called. While all are on, tools that its server adds are on too, once they are accepted. Calls are those of the last 7 days, in the projects it is enabled for now.</p>
<form method="post" action="${path}/tools" class="switches">
${toTable('Tools of the integration', COLUMNS, cells)}
<div class="actions"><button>Save</button></div>
</form></section>`
}

/** All known tools: those in use, those not on the allow-list, and those on it that the server does not offer. */
function toRows({ tools: picked }: Integration, list: ToolList | undefined): Row[] {
  const isOn = (name: string) => picked?.includes(name) ?? true
  const rows: Row[] = [
    ...(list?.tools ?? []).map(({ name, title, readOnly }) => ({ name, title, readOnly, isOn: isOn(name), isOffered: true })),
    ...(list?.unpicked ?? []).map(({ name, readOnly }) => ({ name, title: undefined, readOnly, isOn: isOn(name), isOffered: true })),
    ...(picked ?? []).map((name) => ({ name, title: undefined, readOnly: undefined, isOn: true, isOffered: list === undefined })),
  ]
  const first = new Map(rows.toReversed().map((row) => [row.name, row]))
  return [...first.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toKind({ mode }: Integration, { name, readOnly, isOffered }: Row, withheld: ReadonlySet<string>): Html | string {
  if (withheld.has(name)) return toBadge('withheld', 'warn')
  if (!isOffered) return toBadge('not offered', 'warn')
  if (readOnly === undefined) return '–'
  if (readOnly) return toBadge('read-only', 'good')
  return mode === 'read-write'
    ? toBadge('may write')
    : html`${toBadge('may write')}<span class="under">refused: the mode is read-only</span>`
}

/** Calls, errors and the 95th percentile, as cells of a row. */
function toUse(use: UseSummary | undefined): string[] {
  if (use === undefined || use.calls === 0) return ['0', '0', '–']
  return [toCount(use.calls), toCount(use.errors), toDuration(use.p95Ms)]
}

/** In milliseconds, or from one second on in seconds. A dash for undefined. */
export function toDuration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '–'
  return milliseconds < SECOND_MS ? `${milliseconds} ms` : `${toCount(milliseconds / SECOND_MS)} s`
}
