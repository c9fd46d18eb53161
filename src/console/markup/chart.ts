import { DAY_MS } from '../../clock.ts'
import { countOf, toCount, toDate } from './format.ts'
import { type Html, html } from './html.ts'
import { numeric, short, toTable } from './table.ts'

/**
 * The meaning of one colour of a chart; `look` is the CSS class of its shapes. `hrefOf` is what the number of a day
 * leads to.
 */
export type Series = { name: string; look: string; hrefOf?: (day: number) => string }

/** A day and its values, in the order of the series. `href` is the link of its bar. */
export type DayBar = { day: number; values: number[]; href?: string }

type BarChart = {
  title: string
  series: Series[]
  /** Every day of the period, oldest first. */
  bars: DayBar[]
  /** What is counted, in the singular. */
  noun: string
  /** The sum of the period of the same length before. */
  before: number
}

/** Height of a chart and width of a day, in units of the chart, which is scaled to its column. */
const HEIGHT = 100
const DAY_WIDTH = 10
const BAR_WIDTH = 8

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** Maximum number of lines behind the bars. */
const MAX_LINES = 4

/** The smallest of 1, 2, 5, 10, 20, 50, … that divides a height into at most four parts. */
function toLineDistance(highest: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, highest / MAX_LINES)))
  return magnitude * ([1, 2, 5].find((step) => step * magnitude * MAX_LINES >= highest) ?? 10)
}

/** A stacked bar chart by day, with a line at each round number, and a table of the same numbers. */
export function toBarChart({ title, series, bars, noun, before }: BarChart): Html {
  const highest = Math.max(1, ...bars.map(({ values }) => sumOf(values)))
  const all = sumOf(bars.flatMap(({ values }) => values))
  const [first, last] = [bars[0]?.day ?? 0, bars.at(-1)?.day ?? 0]
  const distance = toLineDistance(highest)
  const width = bars.length * DAY_WIDTH
  const lines = Array.from({ length: Math.floor(highest / distance) }, (_, at) => {
    const y = round(HEIGHT - ((at + 1) * distance * HEIGHT) / highest)
    return html`<line class="grid" x1="0" x2="${width}" y1="${y}" y2="${y}"/>`
  })
  const most = all === 0 ? '' : `; ${toCount(highest)} on the busiest day; a grid line every ${toCount(distance)}`
  return html`<figure class="chart">
<figcaption><h2>${title}</h2><p class="quiet">${countOf(all, noun)}, ${toCount(before)} in the ${bars.length} days before${most}</p></figcaption>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}: ${countOf(all, noun)}; the table below has the numbers">
${lines}${bars.map((bar, at) => toBar(bar, series, { at, highest }))}
</svg>
<p class="axis" aria-hidden="true"><span>${toDay(first)}</span><span>${toDay(last)}</span></p>
<ul class="legend">${series.map(({ name, look }) => html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${look}" width="1" height="1"/></svg><bdi>${name}</bdi></li>`)}</ul>
${toNumbers({ title, series, bars })}
</figure>`
}

function toBar({ day, values }: DayBar, series: Series[], { at, highest }: { at: number; highest: number }): Html {
  const said = series.flatMap(({ name }, one) => (values[one] ? [`${name} ${toCount(values[one])}`] : [])).join(', ')
  let top = HEIGHT
  const shapes = series.map(({ look }, one) => {
    const height = ((values[one] ?? 0) / highest) * HEIGHT
    top -= height
    return height === 0
      ? html``
      : html`<rect class="${look}" x="${at * DAY_WIDTH + 1}" y="${round(top)}" width="${BAR_WIDTH}" height="${round(height)}"/>`
  })
  return html`<g><title>${toDay(day)}: ${said === '' ? 'none' : said}</title><rect class="ground" x="${at * DAY_WIDTH}" y="0" width="${DAY_WIDTH}" height="${HEIGHT}"/>${shapes}</g>\n`
}

/** The numbers of a chart as a table: days with values, latest first. */
function toNumbers({ title, series, bars }: Pick<BarChart, 'title' | 'series' | 'bars'>): Html {
  const columns = [short('Day'), ...series.map(({ name }) => numeric(name))]
  const toValue = (day: number) => (value: number, at: number) => {
    const hrefOf = series[at]?.hrefOf
    return value === 0 || hrefOf === undefined ? toCount(value) : html`<a href="${hrefOf(day)}">${toCount(value)}</a>`
  }
  const rows = bars
    .filter(({ values }) => sumOf(values) > 0)
    .toReversed()
    .map(({ day, values, href }) => [
      href === undefined ? toDay(day) : html`<a href="${href}">${toDay(day)}</a>`,
      ...values.map(toValue(day)),
    ])
  return html`<details class="numbers"><summary>As a table</summary>
${toTable(title, columns, rows, 'Nothing in this period.')}
</details>`
}

/** A bar of the parts of a whole. It is hidden from screen readers, so the numbers must be given beside it. */
export function toShareBar(parts: { value: number; look: string }[]): Html {
  const whole = Math.max(1, sumOf(parts.map(({ value }) => value)))
  let left = 0
  const shapes = parts.map(({ value, look }) => {
    const width = (value / whole) * 100
    left += width
    return html`<rect class="${look}" x="${round(left - width)}" y="0" width="${round(width)}" height="1"/>`
  })
  return html`<svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="100" height="1"/>${shapes}</svg>`
}

const round = (number: number) => Math.round(number * 100) / 100

/** The date of a day, given as days since 1970 in UTC. */
const toDay = (day: number): string => toDate(day * DAY_MS)
