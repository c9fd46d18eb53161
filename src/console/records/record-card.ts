import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import { bestPassage, findMarks, type Needle } from '../../memory/search/passage.ts'
import { normalize } from '../../text/normalize.ts'
import type { DiffPart } from '../../text/word-diff.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'
import { toChoiceBox } from './bulk-bar.ts'

type CardOptions = {
  score?: number
  /** A badge beside those of the status. */
  note?: Html | undefined
  /** Details below the record. */
  more?: Html | undefined
  actions?: Html[]
  /** Whether it can be selected, as `id` of the form around the list. */
  isChoosable?: boolean
  /** Whether keyboard navigation includes it. */
  isItem?: boolean
  /** Whether actions may return to it: once on a page. */
  isAnchor?: boolean
  /** Words whose occurrences are highlighted. */
  needles?: Needle[]
}

/**
 * Maximum length of the content that a list shows, and of its first line if that names the record; characters are
 * UTF-16 code units.
 */
const MAX_CARD_CHARACTERS = 480
const MAX_CARD_LINES = 8
const MAX_HEADLINE_CHARACTERS = 160

/** A list of cards; the sentence `empty` if there are none. */
export function toRecordList(cards: Html[], empty = ''): Html {
  if (cards.length === 0) return html`<p class="nothing">${empty}</p>`
  return html`<ul class="records">${cards.map((card) => html`<li>${card}</li>\n`)}</ul>`
}

/**
 * A record in a list: its first line as a link to its page, the beginning of the rest, and its properties. `path` is
 * the path of the project.
 */
export function toRecordCard(path: string, card: ShownRecord, options: CardOptions = {}): Html {
  const {
    score,
    note,
    more,
    actions = [],
    isChoosable = false,
    isItem = false,
    isAnchor = true,
    needles = [],
  } = options
  const page = toRecordPath(path, card.id)
  const shown = shownPartOf(card.content, needles)
  const [headline, rest] = splitHeadline(shown.text, MAX_CARD_CHARACTERS)
  const isBrief = isChoosable && needles.length === 0
  const marked = (text: string) => (needles.length === 0 ? html`${text}` : toMarked(text, findMarks(text, needles)))
  return html`<article class="record${isBrief ? ' brief' : ''}"${isAnchor ? html` id="${toAnchor(card.id)}"` : undefined}${isItem ? html` tabindex="-1" data-item` : undefined}>
${isChoosable ? toChoiceBox(card.id) : undefined}<div>
<h3 dir="auto"${isChoosable ? html` id="h-${card.id}"` : undefined}><a href="${page}">${shown.isFromBeginning ? undefined : '… '}${marked(headline)}</a></h3>
${rest === '' ? undefined : html`<p class="content" dir="auto">${marked(rest)}</p>`}${shown.isToEnd ? undefined : html`<p class="rest"><a href="${page}" aria-label="Read all of it: ${toHeadline(shown.text)}">Read all of it</a></p>`}
<p class="meta">${score === undefined ? undefined : html`<span class="score">Score ${score}</span>`}${toStatusBadges(card)}${note}${toProvenance(path, card)}</p>
${more}${actions.length === 0 ? undefined : html`<div class="row">${actions}</div>`}
</div></article>`
}

/** A text with highlighted ranges in UTF-16 units, which must be sorted and must not overlap. */
function toMarked(text: string, marks: { start: number; end: number }[]): Html {
  let from = 0
  const parts = marks.flatMap(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    return [html`${before}`, html`<mark>${text.slice(start, end)}</mark>`]
  })
  return html`${parts}${text.slice(from)}`
}

/** The element id of a record on a page, to return to after an action. */
export const toAnchor = (id: string): string => `r-${id}`

/** The first line of a content, truncated between words; names a record whose fact key is derived. */
export function toHeadline(content: string): string {
  const [headline, rest] = splitHeadline(content, MAX_HEADLINE_CHARACTERS)
  return rest === '' ? headline : `${headline} …`
}

function splitHeadline(text: string, maxCharacters: number): [headline: string, rest: string] {
  const [line = ''] = text.trimStart().split('\n', 1)
  if (line.length <= maxCharacters) return [line.trimEnd(), text.trimStart().slice(line.length).trim()]
  const cut = line.lastIndexOf(' ', maxCharacters)
  const end = cut > maxCharacters / 2 ? cut : maxCharacters
  const headline = line.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')
  return [headline, text.trimStart().slice(headline.length).trim()]
}

/** The path of a record's own page. */
export function toRecordPath(path: string, id: string): string {
  return `${path}/records/${encodeURIComponent(id)}`
}

/** Badges for status, staleness, the guard's mark and scope; the scope `shared` has none. */
export function toStatusBadges({ status, stale, caution, scope }: ShownRecord): Html {
  return html`${toBadge(status, status === 'verified' ? 'good' : 'plain')}${
    stale && status !== 'superseded' ? toBadge('stale', 'warn') : undefined
  }${caution === undefined ? undefined : toBadge(caution, 'warn')}${scope === 'shared' ? undefined : toBadge(scope === 'draft' ? 'your draft' : scope)}`
}

/** The fact key that was given, workspace, source, author, expiry and the time of the last save. */
export function toProvenance(path: string, card: ShownRecord): Html {
  const {
    workspace,
    source_id: source,
    author,
    fact_key: key,
    fact_key_given: isGiven,
    expires_at: expires,
    saved_at: savedAt,
  } = card
  const from = source === null ? undefined : html`<span>from ${toSourceLink(path, workspace, source)}</span>`
  return html`${isGiven ? html`<code><bdi>${key}</bdi></code>` : undefined}<span>in <bdi>${workspace}</bdi></span>${from}<span>by <bdi>${author}</bdi></span><span>${toTime(savedAt)}</span>${
    expires === null ? undefined : html`<span>expires ${toTime(expires)}</span>`
  }`
}

/** A link to the list of all records of a source. */
export function toSourceLink(path: string, workspace: string, source: string): Html {
  return html`<a href="${path}/records?${new URLSearchParams({ workspace, source }).toString()}"><bdi>${source}</bdi></a>`
}

type ShownPart = { text: string; isFromBeginning: boolean; isToEnd: boolean }

/**
 * The part of a content that a list shows: the beginning or, for a long content with hits, the passage with most of
 * them.
 */
function shownPartOf(stored: string, needles: Needle[]): ShownPart {
  const content = needles.length === 0 ? stored : normalize(stored, 'NFC')
  if (needles.length === 0 || content.length <= MAX_CARD_CHARACTERS) return beginningOf(content)
  const passage = bestPassage(content, MAX_CARD_CHARACTERS, needles)
  return { text: passage, isFromBeginning: content.startsWith(passage), isToEnd: content.trimEnd().endsWith(passage) }
}

function beginningOf(content: string): ShownPart {
  // Half a surrogate pair at the cut would be displayed as a wrong character.
  const lines = content
    .slice(0, MAX_CARD_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .split('\n')
  const text = lines.slice(0, MAX_CARD_LINES).join('\n')
  return { text, isFromBeginning: true, isToEnd: text.length === content.length }
}

/** Longer texts scroll in a frame of their own. */
const MAX_WHOLE_CHARACTERS = 3_000

/** The whole content of a record. */
export function toContent(content: string): Html {
  if (content.length <= MAX_WHOLE_CHARACTERS) return html`<p class="content" dir="auto">${content}</p>`
  return html`<div class="content tall" role="region" aria-label="Text" tabindex="0" dir="auto">${content}</div>`
}

/** The words that differ. */
export function toDiff(parts: DiffPart[]): Html {
  const words = parts.map(({ kind, text }) => {
    if (kind === 'same') return html`${text}`
    return kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`
  })
  return html`<p class="content diff" dir="auto">${words}</p>`
}
