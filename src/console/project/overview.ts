import { DAY_MS } from '../../clock.ts'
import { type Overview, PERIODS } from '../../memory/overview/read-overview.ts'
import type { Key } from '../../store/key.ts'
import { type DayBar, type Series, toBarChart, toShareBar } from '../markup/chart.ts'
import { toCount, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toQueryPath } from '../markup/paging.ts'
import { toTable } from '../markup/table.ts'
import { toCountedTo, toSourceBar, toSourcePath } from './sources.ts'

type OverviewPage = { path: string; overview: Overview; memberNames: Map<string, string> }

/** How a project stands and is used, on one screen. It shows the present again when the project has changed. */
export function toOverview({ path, overview, memberNames }: OverviewPage): Html {
  const at = `${path}/overview`
  const address = toQueryPath(at, { days: String(overview.period) })
  return html`<div class="heading"><h1>Overview</h1>${toPeriods(at, overview.period)}</div>
<div id="overview" data-events="${path}/events" hx-get="${address}" hx-trigger="changed" hx-target="this" hx-select="#overview" hx-swap="outerHTML">
${toTiles(path, overview)}
${overview.records === 0 ? toBeginning(path) : undefined}
${overview.records === 0 && overview.calls.length === 0 ? undefined : toPictures(path, overview, memberNames)}
</div>`
}

function toBeginning(path: string): Html {
  return html`<div class="nothing"><p>You see no records here yet. They come from assistants that are connected, and are shown here as they arrive.</p>
<div class="actions"><a class="button main" href="${path}/start">Connect an assistant</a><a class="button" href="${path}/records/new">Write a record</a></div></div>`
}

function toPictures(path: string, overview: Overview, memberNames: Map<string, string>): Html {
  return html`<div class="charts">
${toSavedChart(path, overview)}
${toCallsChart(overview)}
</div>
<div class="lists">
${toSources(path, overview)}
${toKeys(path, overview, memberNames)}
${toAuthors(path, overview)}
${toTools(overview)}
</div>`
}

function toPeriods(at: string, period: number): Html {
  const links = PERIODS.map(
    (days) => html`<a href="${at}?days=${days}"${days === period ? html` aria-current="true"` : undefined}>${days} days</a>\n`,
  )
  return html`<nav class="periods" aria-label="Period">${links}</nav>`
}

type Tile = { label: string; value: string; href?: string; note?: string; bar?: Html }

function toTiles(path: string, overview: Overview): Html {
  const { records, stale, toReview, contradictions, rejected, quotas } = overview
  const share = records === 0 ? 0 : Math.round((stale / records) * 100)
  const tiles: Tile[] = [
    { label: 'Records', value: toCount(records), href: `${path}/records` },
    { label: 'To review', value: toCountedTo(toReview), href: `${path}/review` },
    { label: 'Contradictions', value: toCountedTo(contradictions), href: `${path}/review?kind=contradictions` },
    { label: 'Stale', value: `${share} %`, note: toCount(stale), href: `${path}/records?freshness=stale` },
    { label: 'Rejected in 7 days', value: toCountedTo(rejected), href: `${path}/guard` },
  ]
  return html`<ul class="tiles">${tiles.map(toTile)}</ul>
${quotas && toQuotas(quotas)}`
}

function toQuotas({ records, contentBytes, calls }: NonNullable<Overview['quotas']>): Html {
  const tiles = [
    toQuotaTile('Records, of everybody', records, toCount),
    toQuotaTile('Their content', contentBytes, toSize),
    toQuotaTile('Calls in 60 seconds', calls, toCount),
  ]
  return html`<ul class="tiles" aria-label="What is used of the plan">${tiles.map(toTile)}</ul>`
}

function toTile({ label, value, href, note, bar }: Tile): Html {
  const text = html`<span class="label">${label}</span> <strong>${value}</strong>${note && html` <span class="quiet">${note}</span>`}${bar}`
  return html`<li>${href === undefined ? html`<div>${text}</div>` : html`<a href="${href}">${text}</a>`}</li>\n`
}

/** Beyond this share of a limit its bar warns. */
const NEARLY_FULL = 0.9

function toQuotaTile(label: string, { used, limit }: { used: number; limit: number }, toText: (number: number) => string): Tile {
  const look = used > limit * NEARLY_FULL ? 'warn' : 'accent'
  const left = Math.max(0, limit - used)
  const bar = toShareBar([
    { value: used, look },
    { value: left, look: 'ground' },
  ])
  return { label, value: toText(used), note: `of ${toText(limit)}`, bar }
}

const STATUSES: Series[] = [
  { name: 'verified', look: 'verified' },
  { name: 'unverified', look: 'unverified' },
  { name: 'superseded', look: 'superseded' },
]

function toSavedChart(path: string, { saved }: Overview): Html {
  const bars = saved.map(({ day, verified, unverified, superseded }): DayBar => {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    return { day, values: [verified, unverified, superseded], href: `${path}/records?since=${date}&until=${date}` }
  })
  return toBarChart({ title: 'Records by day', series: STATUSES, bars, noun: 'record' })
}

/** Tools with a colour of their own. */
const MAX_TOOLS = 4

type ToolUse = { tool: string; calls: number; errors: number }

function sumByTool(calls: Overview['calls']): ToolUse[] {
  const tools = new Map<string, ToolUse>()
  for (const { tool, calls: some, errors } of calls) {
    const known = tools.get(tool) ?? { tool, calls: 0, errors: 0 }
    tools.set(tool, { tool, calls: known.calls + some, errors: known.errors + errors })
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
}

/** Calls that went well by tool, and above them those of all tools that were refused or failed. */
function toCallsChart({ calls, saved }: Overview): Html {
  const tools = sumByTool(calls).map(({ tool }) => tool)
  const named = tools.slice(0, MAX_TOOLS)
  const series = [
    ...named.map((name, at): Series => ({ name, look: `tool-${at + 1}` })),
    ...(tools.length > MAX_TOOLS ? [{ name: 'other tools', look: 'tool-other' }] : []),
    { name: 'errors', look: 'error' },
  ]
  const days = new Map(saved.map(({ day }) => [day, series.map(() => 0)]))
  for (const { day, tool, calls: some, errors } of calls) {
    const values = days.get(day)
    if (values === undefined) continue
    const at = named.includes(tool) ? named.indexOf(tool) : MAX_TOOLS
    values[at] = (values[at] ?? 0) + some - errors
    values[series.length - 1] = (values[series.length - 1] ?? 0) + errors
  }
  const bars = [...days].map(([day, values]): DayBar => ({ day, values }))
  return toBarChart({ title: 'Calls by day', series, bars, noun: 'call' })
}

function toTools({ calls }: Overview): Html {
  const rows = sumByTool(calls).map(({ tool, calls: all, errors }) => [
    html`<code>${tool}</code>`,
    html`${toCount(all)}`,
    html`${toCount(errors)}`,
  ])
  const columns = [{ label: 'Tool' }, { label: 'Calls', look: 'number' as const }, { label: 'Errors', look: 'number' as const }]
  return html`<section><h2>Tools</h2>${toTable('Calls by tool', columns, rows, 'No calls in these days.')}</section>`
}

function toSources(path: string, { sources }: Overview): Html {
  const rows = sources.map((source) => [
    html`<a href="${toSourcePath(path, source)}"><bdi>${source.sourceId}</bdi></a>`,
    toSourceBar(source),
  ])
  return html`<section><h2><a href="${path}/sources">Largest sources</a></h2>${toTable('Largest sources', [{ label: 'Source', look: 'long' }, { label: 'Fresh and stale' }], rows, 'No record has a source yet.')}</section>`
}

function toAuthors(path: string, { authors }: Overview): Html {
  const rows = authors.map(({ name, records }) => [
    html`<a href="${toQueryPath(`${path}/records`, { author: name })}"><bdi>${name}</bdi></a>`,
    html`${toCount(records)}`,
  ])
  return html`<section><h2>Authors</h2>${toTable('Authors of these days', [{ label: 'Author' }, { label: 'Records', look: 'number' }], rows, 'Nothing was saved in these days.')}</section>`
}

function toKeys(path: string, { keys }: Overview, memberNames: Map<string, string>): Html {
  const rows = keys.map((key) => [
    html`<a href="${path}/keys/${key.id}"><bdi>${key.label}</bdi></a><small class="under">${toMemberName(key, memberNames)}</small>`,
    key.lastUsedAt === null ? html`never` : toTime(key.lastUsedAt),
  ])
  return html`<section><h2><a href="${path}/keys">Keys by last use</a></h2>${toTable('Keys by last use', [{ label: 'Key' }, { label: 'Last used' }], rows, 'No keys yet.')}</section>`
}

const toMemberName = ({ memberId }: Key, memberNames: Map<string, string>): string =>
  memberId === null ? 'service key' : (memberNames.get(memberId) ?? '')
