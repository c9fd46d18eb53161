import { authorNames } from '../../account/auth/caller.ts'
import { PERIODS, type Period, type PresentOverview, readPresentOverview } from '../../memory/overview/read-overview.ts'
import { MAX_REJECTED } from '../../memory/rejections/list-rejections.ts'
import { toShareBar } from '../markup/chart.ts'
import { countOf, toCount, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBeginning } from '../markup/table.ts'
import { openProject, type PageContent, type ProjectRequest, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { readSuggestions } from '../sessions/suggestions.ts'
import {
  type Numbers,
  toAuthors,
  toCallsChart,
  toKeys,
  toNextSteps,
  toSavedChart,
  toSources,
  toTools,
} from './overview-sections.ts'

/** The overview of a project, which is its first page. */
export const overview = pageOf(openProject, {
  path: '/console/projects/:project',
  show: async ({ path }) => redirect(`${path}/overview`),
  views: { '/overview': showOverview },
})

const DEFAULT_PERIOD: Period = 30

/** The period in a URL; 30 days if it is missing or unknown. */
function readPeriod({ searchParams }: URL): Period {
  return PERIODS.find((days) => String(days) === searchParams.get('days')) ?? DEFAULT_PERIOD
}

async function showOverview(req: ProjectRequest): Promise<PageContent> {
  const { service, actor, url, project, path } = req
  const found = await readPresentOverview(service, actor, { projectId: project.id, period: readPeriod(url) })
  const overview = { ...found, toReview: found.toReview + (await readSuggestions(req)).length }
  const held = overview.keys.flatMap(({ memberId }) => memberId ?? [])
  const memberNames = await authorNames(service, new Set(held))
  const body = toOverview({ path, overview, memberNames, next: await toNextSteps(req, overview) })
  return { title: 'Overview', section: `${path}/overview`, body }
}

type OverviewPage = {
  path: string
  overview: PresentOverview
  memberNames: Map<string, string>
  /** What to do next. */
  next: Html | undefined
}

/** When the page polls for numbers that are being counted, and for changed numbers. */
const COUNTED_SOON = 'load delay:500ms'
const COUNTED_LATER = 'load delay:3s'

/**
 * How a project stands and is used, on one screen. It shows the present again when the project has changed, and when
 * its numbers are counted.
 */
export function toOverview({ path, overview, memberNames, next }: OverviewPage): Html {
  const at = `${path}/overview`
  const address = toQueryPath(at, { days: String(overview.period) })
  const { numbers } = overview
  const again = numbers === undefined ? `, ${COUNTED_SOON}` : numbers.isCurrent ? '' : `, ${COUNTED_LATER}`
  return html`<div class="heading"><h1>Overview</h1>${toPeriods(at, overview.period)}</div>
<div id="overview" data-events="${path}/events" hx-get="${address}" hx-trigger="changed${again}" hx-target="this" hx-select="#overview" hx-swap="outerHTML">
${next}${toTiles(path, overview)}
${overview.records === 0 ? toBeginning(path, NOTHING_SEEN, true) : undefined}
${overview.records === 0 && numbers?.calls.length === 0 ? undefined : toPictures(path, overview, memberNames)}
${numbers?.isCurrent === false ? toPastNote(numbers, address) : undefined}
</div>`
}

function toPastNote({ countedAt }: Numbers, address: string): Html {
  return html`<p class="quiet">Counted ${toTime(countedAt)}; some of it may have changed since. <a href="${address}">Show the present numbers</a></p>`
}

const NOTHING_SEEN = 'You see no records yet. Connect an assistant, and what it saves appears here.'

function toPictures(path: string, overview: PresentOverview, memberNames: Map<string, string>): Html {
  const { numbers } = overview
  return html`<div class="charts">
${numbers === undefined ? toUncounted(overview) : [toSavedChart(path, numbers), toCallsChart(path, overview, numbers)]}
</div>
<div class="lists">
${numbers && toSources(path, numbers)}
${toKeys(path, overview, memberNames)}
${numbers && toAuthors(path, numbers)}
${numbers && toTools(path, numbers)}
</div>`
}

function toUncounted({ records, period }: PresentOverview): Html {
  return html`<div class="chart"><h2>Records and calls by day</h2><p>${countOf(records, 'record')} are being counted. <a href="?days=${period}">Show the numbers</a></p></div>`
}

function toPeriods(at: string, period: number): Html {
  const links = PERIODS.map(
    (days) =>
      html`<a href="${at}?days=${days}"${days === period ? html` aria-current="true"` : undefined}>${days} days</a>\n`,
  )
  return html`<nav class="periods" aria-label="Period">${links}</nav>`
}

type Tile = { label: string; value: string; href?: string; note?: string; bar?: Html }

function toTiles(path: string, overview: PresentOverview): Html {
  const { records, toReview, rejected, rejectedBefore, quotas, numbers } = overview
  const tiles: Tile[] = [
    { label: 'Records', value: toCount(records), href: `${path}/records` },
    { label: 'To review', value: toCount(toReview), href: `${path}/review` },
    {
      label: 'Contradictions',
      value: numbers === undefined ? '–' : toCount(numbers.contradictions),
      href: `${path}/review?kind=contradictions`,
    },
    { label: 'Stale', ...toStale(records, numbers), href: `${path}/records?freshness=stale` },
    {
      label: 'Refused by the guard',
      value: rejected > MAX_REJECTED ? `${toCount(MAX_REJECTED)}+` : toCount(rejected),
      href: `${path}/guard`,
      note: `in 7 days${rejectedBefore === undefined ? '' : `, ${toCount(rejectedBefore)} before`}`,
    },
  ]
  return html`<ul class="tiles">${tiles.map(toTile)}</ul>
${quotas && toQuotas(quotas)}`
}

/** The number of records may have decreased since the stale ones were counted. */
function toStale(records: number, numbers: Numbers | undefined): Pick<Tile, 'value' | 'note'> {
  if (numbers === undefined) return { value: '–' }
  const share = records === 0 ? 0 : Math.min(100, Math.round((numbers.stale / records) * 100))
  return { value: `${share} %`, note: countOf(numbers.stale, 'record') }
}

function toQuotas({ records, contentBytes, calls }: NonNullable<PresentOverview['quotas']>): Html {
  const tiles = [
    toQuotaTile('All records', records, toCount),
    toQuotaTile('All content', contentBytes, toSize),
    toQuotaTile('Calls in 60 seconds', calls, toCount),
  ]
  return html`<ul class="tiles" aria-label="What is used of the plan">${tiles.map(toTile)}</ul>`
}

function toTile({ label, value, href, note, bar }: Tile): Html {
  const text = html`<span class="label">${label}</span> <strong>${value}</strong>${note && html` <span class="quiet">${note}</span>`}${bar}`
  return html`<li>${href === undefined ? html`<div>${text}</div>` : html`<a href="${href}">${text}</a>`}</li>\n`
}

/** From this share of a limit on, its bar warns. */
const NEARLY_FULL = 0.9

function toQuotaTile(
  label: string,
  { used, limit }: { used: number; limit: number },
  toText: (number: number) => string,
): Tile {
  const look = used > limit * NEARLY_FULL ? 'warn' : 'accent'
  const left = Math.max(0, limit - used)
  const bar = toShareBar([
    { value: used, look },
    { value: left, look: 'ground' },
  ])
  return { label, value: toText(used), href: '/console/account', note: `of ${toText(limit)}`, bar }
}
