import MarkdownIt from 'markdown-it'
import { yieldIfDue } from '../../cooperative.ts'
import { type Html, html } from './html.ts'

/**
 * Longer pieces are shown as they are, and so are those with more brackets: what follows each is read for a link, which
 * for 2 000 brackets takes up to 24 ms, the first time.
 */
const MAX_PIECE_CHARACTERS = 2_000
const MAX_PIECE_BRACKETS = 300
/** Paragraphs are put together up to this length: those of a list belong together. */
const JOINED_CHARACTERS = 800
/** Blocks within blocks; what is deeper is left out by the parser. */
const MAX_NESTING = 12

/** The beginning of a fence of code, or its end. */
const FENCE = /^ {0,3}(`{3,}|~{3,})[^`\n]*$/
/** Headings of a text are below those of its page. */
const HEADING_TAG = 'h4'

/** HTML is text. Images are not loaded; links lead only to the web and to mail. */
const markdown = new MarkdownIt({ html: false, breaks: true, maxNesting: MAX_NESTING }).disable('image')
markdown.validateLink = (address) => /^(?:https?:|mailto:)/i.test(address)
markdown.renderer.rules.link_open = (tokens, at, options, _, self) => {
  tokens[at]?.attrSet('rel', 'noopener noreferrer nofollow')
  return self.renderToken(tokens, at, options)
}
for (const rule of ['heading_open', 'heading_close'])
  markdown.renderer.rules[rule] = (tokens, at) => `<${tokens[at]?.nesting === 1 ? '' : '/'}${HEADING_TAG}>`

/**
 * A text in Markdown as markup, whatever it holds: paragraphs, lists, tables, code, links. Takes linear time, in pieces
 * between which others have their turn.
 */
export async function toMarkdown(text: string): Promise<Html> {
  const blocks: Html[] = []
  for (const piece of splitPieces(text)) {
    await yieldIfDue()
    blocks.push(toBlock(piece))
  }
  return html`<div class="markdown" dir="auto">${blocks}</div>`
}

function toBlock({ text, isCode }: Piece): Html {
  if (isCode) return html`<pre tabindex="0"><code>${text}</code></pre>`
  if (text.length > MAX_PIECE_CHARACTERS || text.split('[').length - 1 > MAX_PIECE_BRACKETS)
    return html`<p class="plain-text">${text}</p>`
  const markup = markdown.render(text)
  return { render: () => markup }
}

type Piece = { text: string; isCode: boolean }

/** Code between fences, and what stands between blank lines outside of it, as far as several fit into one piece. */
function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let lines: string[] = []
  let fence: string | undefined
  const finish = (isCode: boolean) => {
    if (lines.length > 0) pieces.push({ text: lines.join('\n'), isCode })
    lines = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) {
      finish(false)
      fence = mark
    } else if (fence !== undefined && mark?.startsWith(fence) && line.trim() === mark) {
      finish(true)
      fence = undefined
    } else {
      lines.push(line)
    }
  }
  finish(fence !== undefined)
  return pieces.flatMap((piece) => (piece.isCode ? piece : splitParagraphs(piece.text)))
}

function splitParagraphs(text: string): Piece[] {
  const pieces: string[] = []
  for (const paragraph of text.split(/\n(?:[ \t]*\n)+/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + paragraph.length < JOINED_CHARACTERS)
      pieces[pieces.length - 1] = `${last}\n\n${paragraph}`
    else pieces.push(paragraph)
  }
  return pieces.map((piece) => ({ text: piece, isCode: false }))
}
