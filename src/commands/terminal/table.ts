/** Columns of text, as wide as their widest cell; a line for nothing where there are no rows. */
export function toTable(head: string[], rows: string[][], nothing: string): string {
  if (rows.length === 0) return nothing
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

/** A time in JSON: ISO 8601 in UTC. */
export function toIsoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** A time in a table: UTC to the minute, or a dash. */
export function toTableTime(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 16).replace('T', ' ')
}

/** Columns a table gives to a text. */
const TEXT_WIDTH = 60

/** The beginning of a text as one line of a table: no line ends, nor characters a terminal would obey. */
export function toOneLine(text: string): string {
  const line = text
    .slice(0, TEXT_WIDTH * 2)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return line.length > TEXT_WIDTH ? `${line.slice(0, TEXT_WIDTH).toWellFormed()}…` : line
}
