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
export function toShownTime(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 16).replace('T', ' ')
}
