import type { Span } from '../spans.ts'
import { isReference } from './references.ts'
import { isName, isPasswordLike, isRandom } from './values.ts'

/** Longest line of a table, and most rows, that are read. */
const MAX_LINE_LENGTH = 512
const MAX_ROWS = 64
/** Most columns, so that no text is read more often for a name in each. */
const MAX_COLUMNS = 16

const SEPARATORS = [/\|/, /\t/, /;/, /,/, / {2,}/]
const HEADING = /^[\p{L}\p{M}\w .()/"'`-]{0,40}$/u

/** Finds the passwords below the name of a column: in tables of Markdown, in CSV, in columns of blanks. */
export function findInColumn(kind: string, text: string, start: number, end: number): Span[] {
  if (!/^[\w ()"'`]{0,24}(?:[|\t;,\r\n]| {2})/.test(text.slice(end, end + 32))) return []
  const before = readLineBefore(text, start)
  const [after = ''] = /^[^\n]*/.exec(text.slice(end, end + MAX_LINE_LENGTH)) ?? []
  if (text[end + after.length] !== '\n') return []
  const separator = SEPARATORS.find((one) => one.test(before.trimStart()) || one.test(after.trimEnd()))
  if (
    separator === undefined ||
    !isHeader(text, start - before.length, before + text.slice(start, end) + after, separator)
  )
    return []
  return readColumn(kind, text, end + after.length + 1, before.split(separator).length - 1, separator)
}

function readLineBefore(text: string, at: number): string {
  const line = text.slice(Math.max(0, at - MAX_LINE_LENGTH), at)
  return line.slice(line.lastIndexOf('\n') + 1)
}

/** Whether a line consists of names of columns, and is the first of its table. */
function isHeader(text: string, at: number, line: string, separator: RegExp): boolean {
  const cells = line.split(separator, MAX_COLUMNS + 3)
  const isNamed =
    cells.length > 1 && cells.length <= MAX_COLUMNS + 2 && cells.every((cell) => HEADING.test(cell.trim()))
  return isNamed && !separator.test(readLineBefore(text, Math.max(0, at - 1)).trim())
}

function readColumn(kind: string, text: string, from: number, column: number, separator: RegExp): Span[] {
  const found: Span[] = []
  let at = from
  for (let row = 0; row < MAX_ROWS && at < text.length; row++) {
    const [line = ''] = /^[^\n]*/.exec(text.slice(at, at + MAX_LINE_LENGTH)) ?? []
    const cells = line.split(new RegExp(`(${separator.source})`))
    at += line.length + 1
    if (/^[ |:+=-]+$/.test(line)) continue
    if (cells.length < 2) break
    const cell = cells[2 * column] ?? ''
    const value = cell.replace(/["'][\]}),:][\s\S]*/, '').replace(/^[\s"'`]+|[\s"'`]+$/g, '')
    const start = at - line.length - 1 + cells.slice(0, 2 * column).join('').length + cell.indexOf(value)
    if (isSecret(kind, value)) found.push({ kind, start, end: start + value.length })
  }
  return found
}

function isSecret(kind: string, value: string): boolean {
  const isLike = kind === 'password' ? isPasswordLike(value) : value.length >= 20 && isRandom(value)
  return isLike && !/\s/.test(value) && !isReference(value) && !isName(value)
}
