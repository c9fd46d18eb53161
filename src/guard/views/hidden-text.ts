/** Text that a rendered page does not show, and what hides it. */
export type HiddenText = { carrier: 'comment' | 'invisible style' | 'title'; text: string }

/** Texts that are returned of each carrier. */
const MAX_HIDDEN_TEXTS = 25
/** UTF-16 units of a comment or an element that is not closed. */
const MAX_UNCLOSED_LENGTH = 3_000

/** Comments of Markdown: a reference that nothing links to. */
const REFERENCE_COMMENT =
  /^\[(?:\/\/|comment|_metadata_)[^\]\n]{0,40}\]:[ \t]{0,4}(?:#|<>)[ \t]{1,4}(?:["']([^\n]{0,2000})["']|\(([^\n]{0,2000})\))/gm
const TAG_WITH_ATTRIBUTES = /<[a-z][a-z0-9]{0,12}\s([^<>]{1,400})>/gi
/** Styles and attributes by which an element is not shown. */
const INVISIBLE_STYLE =
  /display:none|visibility:hidden|opacity:0(?:[;"'\s]|\.0)|font-size:(?:0|1)(?:px|pt|em)?[;"']|(?:color:(?:white|#fff(?:fff)?|transparent)[;"'])|(?:left|top|text-indent):-\d{3,}|height:0(?:px)?;|aria-hidden="true"|(?:^|\s)hidden(?:[\s=]|$)/
/** Titles of links, titles and alternative texts of elements and images. */
const TITLE =
  /\]\([^()\s]{0,400}\s+["']([^"'\n]{12,1000})["']\)|\s(?:title|alt|aria-label|content)="([^"\n]{12,1000})"|!\[((?:(?!!\[)[^\]\n]){20,300})\]\(/gi

/** One of these is in every title. Most texts have none, which takes a small part of the time to find. */
const IN_TITLE = ['](', '="', '![']

/**
 * The texts of at least two letters that HTML and Markdown hide: comments, invisible elements, titles and alternative
 * texts.
 */
export function findHiddenText(text: string): HiddenText[] {
  return [...findComments(text), ...findInvisibleElements(text), ...findTitles(text)].filter((hidden) =>
    /\p{L}{2}/u.test(hidden.text),
  )
}

function findComments(text: string): HiddenText[] {
  const found: HiddenText[] = []
  for (let at = text.indexOf('<!--'); at >= 0 && found.length < MAX_HIDDEN_TEXTS; ) {
    const end = text.indexOf('-->', at + 4)
    found.push({ carrier: 'comment', text: text.slice(at + 4, end < 0 ? at + MAX_UNCLOSED_LENGTH : end) })
    at = end < 0 ? -1 : text.indexOf('<!--', end)
  }
  if (!text.includes(']:')) return found
  for (const [, quoted, braced] of text.matchAll(REFERENCE_COMMENT))
    found.push({ carrier: 'comment', text: quoted ?? braced ?? '' })
  return found
}

function findInvisibleElements(text: string): HiddenText[] {
  const found: HiddenText[] = []
  if (!text.includes('<')) return found
  for (const tag of text.matchAll(TAG_WITH_ATTRIBUTES)) {
    if (found.length >= MAX_HIDDEN_TEXTS) break
    if (!INVISIBLE_STYLE.test((tag[1] ?? '').toLowerCase().replace(/:\s+/g, ':'))) continue
    const start = tag.index + tag[0].length
    const end = text.indexOf('</', start)
    found.push({ carrier: 'invisible style', text: text.slice(start, end < 0 ? start + MAX_UNCLOSED_LENGTH : end) })
  }
  return found
}

function findTitles(text: string): HiddenText[] {
  if (!IN_TITLE.some((signs) => text.includes(signs))) return []
  const titles = text.matchAll(TITLE).take(MAX_HIDDEN_TEXTS)
  return [...titles].map(([, link, attribute, image]) => ({ carrier: 'title', text: link ?? attribute ?? image ?? '' }))
}
