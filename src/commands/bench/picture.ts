import { type Figure, type Report, toFigureText, toHeading } from './report.ts'

// Lengths are in pixels of a picture that scales.
const WIDTH = 760
const MARGIN = 16
const LINE_HEIGHT = 22
const GROUP_GAP = 14
const BAR_HEIGHT = 12
const BAR_START = 290
const BAR_END = WIDTH - 120
/** Keeps the smallest figure visible. */
const MIN_BAR_WIDTH = 2

/** Follows the reader's colour scheme; the background is transparent. */
const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } .group { font-weight: 600 } .foot { font-size: 11px; fill: #59636e } rect { fill: #0969da }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .foot { fill: #9198a1 } rect { fill: #4493f8 } }`

/** The figures as an SVG bar chart with a title; bars of one group and unit share a scale. */
export function toPicture(report: Report, name = 'Figures of memsvc bench'): string {
  const shapes: string[] = []
  let y = MARGIN
  for (const [group, figures] of Map.groupBy(report.figures, ({ group }) => group)) {
    y += LINE_HEIGHT
    shapes.push(toText(MARGIN, y, group, 'group'))
    for (const figure of figures) {
      y += LINE_HEIGHT
      shapes.push(...toBar(figure, figures, y))
    }
    y += GROUP_GAP
  }
  y += LINE_HEIGHT
  shapes.push(toText(MARGIN, y, toHeading(report), 'foot'))
  const height = y + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${Bun.escapeHTML(name)}">
<style>${STYLE}</style>
${shapes.join('\n')}
</svg>
`
}

function toBar(figure: Figure, group: Figure[], y: number): string[] {
  const largest = Math.max(...group.filter(({ unit }) => unit === figure.unit).map(({ value }) => value ?? 0))
  const share = largest === 0 ? 0 : (figure.value ?? 0) / largest
  const width = figure.value ? Math.max(MIN_BAR_WIDTH, share * (BAR_END - BAR_START)) : 0
  return [
    toText(MARGIN * 2, y, figure.name),
    `<rect x="${BAR_START}" y="${y - BAR_HEIGHT + 1}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`,
    toText(BAR_START + width + 8, y, toFigureText(figure)),
  ]
}

function toText(x: number, y: number, text: string, kind?: string): string {
  return `<text x="${x.toFixed(1)}" y="${y}"${kind === undefined ? '' : ` class="${kind}"`}>${Bun.escapeHTML(text)}</text>`
}
