import { lexer, type Token } from 'marked'

type Options = {
  /** A heading above all headings of the text. */
  title: string | undefined
  /** Maximum size of a part, in bytes of UTF-8. */
  maxBytes: number
}

/**
 * Splits a Markdown text at its headings. Each section begins with the headings above it, such as `Deploy › Region`; a
 * section that is too large is split into several parts. Sections without text are omitted.
 */
export function toSections(markdown: string, { title, maxBytes }: Options): string[] {
  const parts: string[] = []
  let headings: { depth: number; text: string }[] = []
  let body: string[] = []

  function finish(): void {
    const path = [title ?? '', ...headings.map(({ text }) => text)].filter(
      (part, at, all) => part !== '' && part !== all[at - 1],
    )
    if (body.join('').trim() !== '') parts.push(...toParts(path.join(' › '), body, maxBytes))
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

/**
 * Puts as many whole blocks into each part as fit, and splits a block that does not fit by itself. The headings take at
 * most an eighth of a part.
 */
function toParts(path: string, blocks: string[], maxBytes: number): string[] {
  const head = path === '' ? '' : `${split(path, Math.floor(maxBytes / 8))[0]}\n\n`
  const room = maxBytes - sizeOf(head)
  const parts: string[] = []
  for (const block of blocks.flatMap((block) => split(block, room))) {
    const last = parts.at(-1)
    if (last !== undefined && sizeOf(last) + sizeOf(block) <= room) parts[parts.length - 1] = last + block
    else parts.push(block)
  }
  return parts.filter((part) => part.trim() !== '').map((part) => head + part.trim())
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
