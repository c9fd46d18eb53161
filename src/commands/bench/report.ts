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
