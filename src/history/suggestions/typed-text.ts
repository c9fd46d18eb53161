/** Longer prompts are pasted. In UTF-16 units, as all lengths here. */
const MAX_PROMPT_LENGTH = 8_192
/** A longer paragraph is pasted. */
const MAX_BLOCK_LENGTH = 1_200
/** A paragraph behind something pasted is typed if it is the last one, and not longer. */
const MAX_CLOSING_LENGTH = 400
/** A prompt of more sentences is pasted. */
const MAX_SENTENCES = 100
/** Of a list with more items, nobody types all. */
const MAX_ITEMS = 3

/** What code, logs, quotes, mails and documents begin a line with. */
const PASTED_LINE = new RegExp(
  [
    String.raw`^(?:\t| {4,})\S`,
    String.raw`^\s*(?:[>|$#@{}<]|\/[/*]|\*\/|\+\+\+|-{3,}|={3,}|\.{3}$|diff |index |import |from \S+ import |def |const |let |function |class |SELECT |Traceback)`,
    String.raw`^\s*\[?\d{2,6}[-:/.]\d`,
    String.raw`^\s*(?:warning|error|err|info|debug|note|trace|fatal|warn|hint|help|failed|exception|userwarning|\w+(?:Error|Exception|Warning))\s*(?:[:[(]|\s\S+:)`,
    String.raw`^\s*at \S+ ?\(`,
    String.raw`^\s*File "`,
    String.raw`^\s*(?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|Gesendet|De|À|Objet|Para|Asunto|Da|A|Oggetto|Assunto|Van|Aan|Onderwerp|Od|Do|Temat|От|Кому|Тема|Från|Till|Ämne): `,
  ].join('|'),
  'i',
)
const ITEM = /^\s*(?:[-*•‣]|\d{1,2}[.)])\s/
/** A line that is code or a table: as many signs as words. */
const isSigns = (line: string) => (line.match(/[{}()<>=;_\\/|$[\]]/g)?.length ?? 0) > line.length * 0.12

const isPastedLine = (line: string) => PASTED_LINE.test(line) || (line.length > 12 && isSigns(line))

/** Fences of code, and what is quoted: none of it is the person's own. */
const QUOTED =
  /```[\s\S]*?(?:```|$)|`[^`\n]{1,400}`|"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“”"\n]{1,400}[“”"]|«[^»\n]{1,400}»|»[^«\n]{1,400}«|「[^」\n]{1,400}」|『[^』\n]{1,400}』|(?<=^|[\s(])'[^'\n]{3,400}'(?=$|[\s.,;:!?)])/g

/** A sentence that a person typed, and what is left of it without what they quote in it, which has blanks. */
export type TypedSentence = { text: string; own: string }

const SENTENCE_END = /(?<=[.!?…][)"”»]?)\s+(?=\S)|(?<=[。！？])/g
const MIN_LENGTH = 8
const MAX_LENGTH = 500

type Line = Pick<TypedSentence, 'text' | 'own'>

/**
 * The sentences of a prompt that the person typed: neither what is quoted, nor code, logs, mails, lists and documents
 * that were pasted. Time is linear in the length of the prompt.
 */
export function toTypedSentences(prompt: string): TypedSentence[] {
  if (prompt.length > MAX_PROMPT_LENGTH) return []
  const own = prompt.replace(QUOTED, (quoted) => quoted.replace(/[^\n]/g, ' ')).split('\n')
  const blocks = toBlocks(prompt.split('\n').map((text, at): Line => ({ text, own: own[at] ?? '' })))
  const sentences = selectTyped(blocks).flatMap(splitSentences)
  return sentences.length <= MAX_SENTENCES ? sentences : []
}

/** Paragraphs: lines without a blank one between them. */
function toBlocks(lines: Line[]): Line[][] {
  const blocks: Line[][] = [[]]
  for (const line of lines) {
    if (line.text.trim() !== '') blocks.at(-1)?.push(line)
    else if (blocks.at(-1)?.length !== 0) blocks.push([])
  }
  return blocks.filter(({ length }) => length > 0)
}

function selectTyped(blocks: Line[][]): Line[] {
  const typed: Line[] = []
  let isPasted = false
  for (const [at, block] of blocks.entries()) {
    const length = block.reduce((sum, { text }) => sum + text.length, 0)
    const isClosing = at === blocks.length - 1 && length <= MAX_CLOSING_LENGTH
    const isAnnounced = /[:：]\s*$/.test(blocks[at - 1]?.at(-1)?.text ?? '')
    const isList = block.filter(({ text }) => ITEM.test(text)).length > MAX_ITEMS
    const end = block.findIndex(({ text }) => isPastedLine(text))
    const isDropped: boolean = isAnnounced || (isPasted && !isClosing) || length > MAX_BLOCK_LENGTH || isList
    isPasted = isDropped || end >= 0
    if (!isDropped) typed.push(...(end < 0 ? block : block.slice(0, end)))
  }
  return typed
}

function splitSentences({ text, own }: Line): TypedSentence[] {
  const ends = [...own.matchAll(SENTENCE_END)].map(({ index, 0: blank }) => index + blank.length)
  return [0, ...ends]
    .map((start, at) => ({ text: text.slice(start, ends[at]).trim(), own: own.slice(start, ends[at]).trim() }))
    .filter(({ text, own }) => own.length >= MIN_LENGTH / 2 && text.length >= MIN_LENGTH && text.length <= MAX_LENGTH)
}
