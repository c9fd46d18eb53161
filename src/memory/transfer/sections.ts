import { lexer, type Token } from 'marked'

type Given = {
  /** What heads every section, above the text's own headings. */
  title: string | undefined
  /** Largest part, in bytes of UTF-8. */
  largest: number
}

/** A Markdown text by its headings: each section under the headings it stands below, in parts where it is too large. Sections without text are left out. */
export function toSections(markdown: string, { title, largest }: Given): string[] {
  const parts: string[] = []
  let headings: { depth: number; text: string }[] = []
  let body: string[] = []

  function finish(): void {
    const path = [title ?? '', ...headings.map(({ text }) => text)].filter((part, at, all) => part !== '' && part !== all[at - 1])
    if (body.join('').trim() !== '') parts.push(...toParts(path.join(' › '), body, largest))
    body = []
  }

  for (const token of lexer(markdown)) {
    if (!isHeading(token)) {
      body.push(token.raw)
      continue
    }
    finish()
    headings = [...headings.filter(({ depth }) => depth < token.depth), { depth: token.depth, text: token.text.trim() }]
  }
  finish()
  return parts
}

const isHeading = (token: Token): token is Token & { depth: number; text: string } => token.type === 'heading'

/** Whole blocks together as far as they fit; a block that does not fit alone is cut. */
function toParts(path: string, blocks: string[], largest: number): string[] {
  const head = path === '' ? '' : `${cut(path, Math.floor(largest / 8))[0]}\n\n`
  const room = largest - sizeOf(head)
  const parts: string[] = []
  for (const block of blocks.flatMap((block) => cut(block, room))) {
    const last = parts.at(-1)
    if (last !== undefined && sizeOf(last) + sizeOf(block) <= room) parts[parts.length - 1] = last + block
    else parts.push(block)
  }
  return parts.filter((part) => part.trim() !== '').map((part) => head + part.trim())
}

const sizeOf = (text: string) => Buffer.byteLength(text, 'utf8')

/** Pieces of at most so many bytes, cut at a line's end where there is one, never within a character. */
function cut(text: string, largest: number): string[] {
  const pieces: string[] = []
  let rest = Buffer.from(text)
  while (rest.length > largest) {
    const line = rest.lastIndexOf(0x0a, largest - 1) + 1
    const at = line > 0 ? line : toCharacterStart(rest, largest)
    pieces.push(rest.subarray(0, at).toString('utf8'))
    rest = rest.subarray(at)
  }
  return [...pieces, rest.toString('utf8')]
}

/** The last place at or before `at` where a character of UTF-8 begins. */
function toCharacterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
