import MarkdownIt from 'markdown-it'

/** Finds blocks alone, not what stands within them. Definitions of links take quadratic time, and are no headings. */
const BLOCKS = new MarkdownIt({ html: true }).disable('reference')
BLOCKS.core.ruler.disable(['inline', 'linkify', 'replacements', 'smartquotes', 'text_join'])

type Options = {
  /** A heading above all headings of the text. */
  title: string | undefined
  /** Maximum size of a part, in bytes of UTF-8. */
  maxBytes: number
  /** The line of the file on which the text begins, 1 if left out. */
  firstLine?: number
}

/** A place in a file or text: line and column, both counted from 1. */
export type Place = { line: number; column: number }

/** A part of a note: the content of its record, the lines of headings it begins with, and where the rest begins. */
export type Section = { content: string; headLines: number; start: Place }

/**
 * Splits a Markdown text at its headings. Each section begins with the headings above it, such as `Deploy › Region`; a
 * section that is too large is split into several parts. Sections without text are omitted.
 */
export function toSections(markdown: string, { title, maxBytes, firstLine = 1 }: Options): Section[] {
  const text = markdown.replaceAll(/\r\n?/g, '\n')
  const lines = text.split(/(?<=\n)/)
  const tokens = BLOCKS.parse(text, {})
  const parts: Section[] = []
  let headings: { depth: number; text: string }[] = []
  let body: string[] = []
  let start: Place = { line: firstLine, column: 1 }
  let at = 0

  function finish(): void {
    const path = [title ?? '', ...headings.map((heading) => heading.text)].filter(
      (part, place, all) => part !== '' && part !== all[place - 1],
    )
    if (body.join('').trim() !== '') parts.push(...toParts(path.join(' › '), body, start, maxBytes))
    body = []
  }

  for (const [index, { type, level, map, tag }] of tokens.entries()) {
    if (map === null || level > 0) continue
    const [first, end] = map
    body.push(lines.slice(at, first).join(''))
    at = first
    if (type !== 'heading_open') continue
    finish()
    const depth = Number(tag.slice(1))
    headings = [...headings.filter((above) => above.depth < depth), { depth, text: tokens[index + 1]?.content ?? '' }]
    start = { line: firstLine + end, column: 1 }
    at = end
  }
  body.push(lines.slice(at).join(''))
  finish()
  return parts
}

/**
 * Puts as many whole blocks into each part as fit, and splits a block that does not fit by itself. The headings take at
 * most an eighth of a part.
 */
function toParts(path: string, blocks: string[], start: Place, maxBytes: number): Section[] {
  const head = path === '' ? '' : `${split(path, Math.floor(maxBytes / 8))[0]}\n\n`
  const room = maxBytes - sizeOf(head)
  const parts: string[] = []
  for (const block of blocks.flatMap((block) => split(block, room))) {
    const last = parts.at(-1)
    if (last !== undefined && sizeOf(last) + sizeOf(block) <= room) parts[parts.length - 1] = last + block
    else parts.push(block)
  }
  const headLines = head.split('\n').length - 1
  let place = start
  return parts.flatMap((part) => {
    const text = part.trimStart()
    const begin = advance(place, part.slice(0, part.length - text.length))
    place = advance(begin, text)
    return text === '' ? [] : [{ content: head + text.trimEnd(), headLines, start: begin }]
  })
}

/** The place behind a text that begins at `from`. */
function advance({ line, column }: Place, text: string): Place {
  const lineEnd = text.lastIndexOf('\n')
  if (lineEnd < 0) return { line, column: column + text.length }
  return { line: line + text.split('\n').length - 1, column: text.length - lineEnd }
}

/** Says where in the file a place in the content of a section is. */
export function toFilePlace({ headLines, start }: Section, { line, column }: Place): string {
  if (line <= headLines) return `in a heading above line ${start.line}`
  const below = line - headLines - 1
  return `line ${start.line + below}, column ${below === 0 ? start.column + column - 1 : column}`
}

const sizeOf = (text: string) => Buffer.byteLength(text, 'utf8')

/** Splits a text into pieces of at most `maxBytes`, after the last line end that fits, otherwise between characters. */
function split(text: string, maxBytes: number): string[] {
  const pieces: string[] = []
  let rest = Buffer.from(text)
  while (rest.length > maxBytes) {
    const line = rest.lastIndexOf(0x0a, maxBytes - 1) + 1
    const at = line > 0 ? line : toCharacterStart(rest, maxBytes)
    pieces.push(rest.subarray(0, at).toString('utf8'))
    rest = rest.subarray(at)
  }
  return [...pieces, rest.toString('utf8')]
}

/** The last position at or before `at` where a UTF-8 character begins. */
function toCharacterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
