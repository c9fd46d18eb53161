/**
 * A table whose columns are as wide as their widest cell in terminal columns; the text `empty` if there are no rows.
 */
export function toTable(head: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return empty
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))))
  return lines.map((line) => toLine(line, widths)).join('\n')
}

function toLine(cells: string[], widths: number[]): string {
  return cells
    .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
    .join('  ')
    .trimEnd()
}

/** An ISO 8601 time to the minute, for tables; a dash for null. */
export function toTableTime(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 16).replace('T', ' ')
}

/** Maximum width of a text in a table. */
const MAX_TEXT_WIDTH = 60

/**
 * The beginning of a text in one line; line ends, control and format characters become spaces, so that they cannot
 * control the terminal.
 */
export function toOneLine(text: string, maxWidth = MAX_TEXT_WIDTH): string {
  const line = text
    .slice(0, maxWidth * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  // Blanks of the beginning may leave less than the width.
  return line.length > maxWidth || text.length > maxWidth * 2 ? `${line.slice(0, maxWidth).toWellFormed()}…` : line
}

/** The columns of a listing by their heads: the member of an item that each shows, or what makes the cell. */
type Columns<Item> = Record<string, keyof Item | ((item: Item) => unknown)>

/** A table of items. Times (members named `at` or `…_at` and `…_until`) are shown to the minute, null as a dash. */
export function toListing<Item extends object>(items: Item[], columns: Columns<Item>, empty: string): string {
  const toCell = (item: Item, column: Columns<Item>[string]) => {
    if (typeof column === 'function') return String(column(item) ?? '-')
    return /(?:^|_)(?:at|until)$/.test(String(column))
      ? toTableTime(item[column] as string | null)
      : String(item[column] ?? '-')
  }
  const rows = items.map((item) => Object.values(columns).map((column) => toCell(item, column)))
  return toTable(Object.keys(columns), rows, empty)
}

/** A list, and below it how to read what it leaves out, if it does. */
export const withMore = (list: string, more: string | undefined): string =>
  more === undefined ? list : `${list}\nmore: ${more}`

/** How to read more of a list that begins with the newest. */
export const HIGHER_LIMIT = 'with a higher --limit'

/** A number and its noun in the singular or plural: `1 session`, `3 sessions`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** A text without control and format characters, except line ends and tabs, so that it cannot control the terminal. */
export function toPlainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** Bytes in the largest unit that is not larger than they are, to one decimal: `512 B`, `1.5 MiB`. */
export function toSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${UNITS[step]}`
}

/** Words as a sentence has them: `owner, admin or member`. */
export const toChoice = (words: readonly string[]) =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)

/** Counts in one sentence, by their nouns: `1 account, 3 members`. */
export const toCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([noun, count]) => countOf(count, noun))
    .join(', ')

/** Names and values, one a line, the values in one column. */
export const toFacts = (facts: unknown[][], width: number) =>
  facts.map(([name, value]) => `${String(name).padEnd(width - 1)} ${value}`).join('\n')
