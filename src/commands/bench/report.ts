/** One measured value, null if the system does not report it. */
export type Figure = {
  group: string
  name: string
  value: number | null
  unit: '/s' | 'ms' | 'MiB' | 'KiB' | 'saves' | 'questions'
}

/** The result of a run. */
export type Report = {
  version: string
  /** When it ended, in milliseconds since 1970. */
  at: number
  machine: { system: string; processor: string; cores: number; memoryGib: number }
  /** Whether the folder was in memory, so that saves did not wait for a disk. */
  isInMemory: boolean
  seconds: number
  figures: Figure[]
}

/** A number with its unit: two decimals below 10, one below 100, otherwise none; a dash for null. */
export function toFigureText({ value, unit }: Figure): string {
  if (value === null) return '-'
  const isCount = unit === 'saves' || unit === 'questions'
  const digits = isCount || value >= 100 ? 0 : value >= 10 ? 1 : 2
  const number = value.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, digits === 0 ? ' ' : '')
  return unit === '/s' ? `${number}/s` : `${number} ${unit}`
}

/** The line above the figures: version, time and machine. */
export function toHeading({ version, at, machine }: Pick<Report, 'version' | 'at' | 'machine'>): string {
  const { system, processor, cores, memoryGib } = machine
  const day = new Date(at).toISOString().slice(0, 10)
  return `memsvc ${version}, ${cores} cores of ${processor}, ${memoryGib.toFixed(0)} GiB, ${system}, ${day}`
}

export const IN_MEMORY_NOTE = 'The folder was in memory (tmpfs): no save waited for a disk. --folder takes another one.'

/** The figures as a Markdown table, for documentation. */
export function toMarkdown(report: Report): string {
  const rows = report.figures.map((figure, at) => {
    const isFirst = report.figures[at - 1]?.group !== figure.group
    return `| ${isFirst ? figure.group : ''} | ${figure.name} | ${toFigureText(figure)} |`
  })
  const escaped = toHeading(report).replace(/[\\|<>*_`[\]]/g, '\\$&')
  return [
    `${escaped}:`,
    '',
    '| measured | | figure |',
    '|---|---|---:|',
    ...rows,
    ...(report.isInMemory ? ['', IN_MEMORY_NOTE] : []),
  ].join('\n')
}

/** The value of `--json`. */
export function toJson({ at, machine, isInMemory, ...rest }: Report) {
  const { memoryGib, ...others } = machine
  return {
    ...rest,
    at: new Date(at).toISOString(),
    machine: { ...others, memory_gib: memoryGib },
    in_memory: isInMemory,
  }
}

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
