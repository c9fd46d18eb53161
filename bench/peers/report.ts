import { type Report as BenchReport, type Figure, toFigureText, toHeading } from '../../src/commands/bench/report.ts'
import type { Dataset } from './dataset.ts'
import { type Kept, type Measured, SAVES_AT_ONCE } from './measure.ts'
import type { Peer } from './peer.ts'
import { LEFT_OUT } from './programs/all.ts'
import type { Tried } from './try-peer.ts'

export type Row = Tried<Measured> & { peer: Peer }

export type Report = Omit<BenchReport, 'figures'> & { dataset: Dataset; rows: Row[] }

type Column = { head: string; cell: (measured: Measured, row: Row) => string }

const BYTES_PER_TOKEN = 4
const round = (value: number, digits = 0) => value.toFixed(digits)
const toMs = (value: number) => toFigureText({ group: '', name: '', value, unit: 'ms' }).replace(/ ms$/, '')
const toMib = (value: number | null) => (value === null ? '-' : round(value, value < 10 ? 1 : 0))

/** Saves that were answered as done and are gone are another thing than saves that were refused. */
function toKept({ acknowledged, kept }: Kept): string {
  if (kept < acknowledged) return `${kept}, ${acknowledged - kept} lost`
  return acknowledged < SAVES_AT_ONCE ? `${kept}, ${SAVES_AT_ONCE - acknowledged} refused` : String(kept)
}

/** Answered questions of the languages that `isWanted` takes. */
function countAnswered({ answered }: Measured, isWanted: (language: string) => boolean): number {
  return Object.entries(answered).reduce((sum, [language, count]) => sum + (isWanted(language) ? count : 0), 0)
}

const isAny = () => true
const isEnglish = (language: string) => language === 'en'
const isOther = (language: string) => language !== 'en'

/** What is found and kept, of so many. */
function toFoundColumns({ notes, questions }: Dataset): Column[] {
  const english = questions.filter(({ language }) => isEnglish(language)).length
  return [
    { head: `notes there, of ${notes.length}`, cell: ({ notesKept }) => String(notesKept) },
    { head: `questions, of ${questions.length}`, cell: (measured) => String(countAnswered(measured, isAny)) },
    { head: `English, of ${english}`, cell: (measured) => String(countAnswered(measured, isEnglish)) },
    { head: `others, of ${questions.length - english}`, cell: (measured) => String(countAnswered(measured, isOther)) },
    { head: `key words, of ${questions.length}`, cell: ({ lookedUp }) => String(lookedUp) },
    { head: '20 at once', cell: ({ oneAssistant }) => toKept(oneAssistant) },
    { head: 'by 4 assistants', cell: ({ fourAssistants }) => toKept(fourAssistants) },
  ]
}

/** What it costs. */
const COST_COLUMNS: Column[] = [
  { head: 'save p50, ms', cell: ({ save }) => toMs(save.p50) },
  { head: 'p99', cell: ({ save }) => toMs(save.p99) },
  { head: 'search p50, ms', cell: ({ search }) => toMs(search.p50) },
  { head: 'p99', cell: ({ search }) => toMs(search.p99) },
  { head: 'start, ms', cell: ({ startMs }) => round(startMs) },
  { head: 'memory, MiB', cell: ({ memoryMib }) => toMib(memoryMib) },
  { head: 'tools/list, bytes', cell: ({ toolBytes }) => String(toolBytes) },
  { head: 'an answer, tokens', cell: ({ answerBytes }) => round(answerBytes / BYTES_PER_TOKEN) },
  { head: 'installed, MiB', cell: (_, { installedMib }) => toMib(installedMib) },
]

/** The two tables: a head, and a line for each program that was measured. */
export function toTables({ rows, dataset }: Report): { head: string[]; lines: string[][] }[] {
  return [toFoundColumns(dataset), COST_COLUMNS].map((columns) => ({
    head: ['', ...columns.map(({ head }) => head)],
    lines: rows.flatMap((row) => {
      const { measured } = row
      return measured === undefined ? [] : [[row.peer.name, ...columns.map(({ cell }) => cell(measured, row))]]
    }),
  }))
}

/** What was not measured, each with its reason. */
export function toLeftOut({ rows }: Report): { name: string; reason: string }[] {
  const failed = rows.flatMap(({ peer, reason }) => (reason === undefined ? [] : [{ name: peer.name, reason }]))
  return [...failed, ...LEFT_OUT]
}

/** The tables and how each program was used, as they stand in the documentation. */
export function toMarkdown(report: Report): string {
  const tables = toTables(report).map(({ head, lines }) => {
    const align = head.map((_, column) => (column === 0 ? '---' : '---:'))
    return [head, align, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  })
  const uses = report.rows.map(({ peer }) => `- ${toTitle(peer)}: ${peer.use}.`)
  const leftOut = toLeftOut(report).map(({ name, reason }) => `- ${name}: ${reason}.`)
  return [
    `${toHeading(report)}:`,
    ...tables,
    'How each was used:',
    uses.join('\n'),
    'Not measured:',
    leftOut.join('\n'),
  ].join('\n\n')
}

export function toTitle({ name, package: wanted }: Peer): string {
  return wanted === undefined ? `**${name}**` : `**${name}** (\`${wanted.name}\` ${wanted.version}, by ${wanted.by})`
}

/** The value of `--json`. */
export function toJson({ at, machine, rows, dataset, ...rest }: Report) {
  return {
    ...rest,
    at: new Date(at).toISOString(),
    machine,
    notes: dataset.notes.length,
    questions: dataset.questions.length,
    programs: rows.map(({ peer, installedMib, measured, reason }) => ({
      name: peer.name,
      package: peer.package ?? null,
      installed_mib: installedMib,
      measured: measured ?? null,
      reason: reason ?? null,
    })),
    left_out: toLeftOut({ at, machine, rows, dataset, ...rest }),
  }
}

/** Figures for a picture: a group for each thing that is measured, a bar for each program. */
export function toFigures({ rows, dataset }: Report): Figure[] {
  const measures: [group: string, unit: Figure['unit'], value: (measured: Measured, row: Row) => number | null][] = [
    [
      `Questions answered in the top five, of ${dataset.questions.length}`,
      'questions',
      (measured) => countAnswered(measured, isAny),
    ],
    [`Found by key words of the note, of ${dataset.questions.length}`, 'questions', ({ lookedUp }) => lookedUp],
    ['Kept of 20 notes that four assistants save at once', 'saves', ({ fourAssistants }) => fourAssistants.kept],
    ['Save, p50', 'ms', ({ save }) => save.p50],
    ['Search, p50', 'ms', ({ search }) => search.p50],
    ['Start until the tools are listed', 'ms', ({ startMs }) => startMs],
    ['Memory after the work', 'MiB', ({ memoryMib }) => memoryMib],
    ['tools/list', 'KiB', ({ toolBytes }) => toolBytes / 1_024],
    ['Installed', 'MiB', (_, { installedMib }) => installedMib],
  ]
  return measures.flatMap(([group, unit, value]) =>
    rows.flatMap((row) =>
      row.measured === undefined ? [] : [{ group, name: row.peer.name, value: value(row.measured, row), unit }],
    ),
  )
}
