import type { Steps } from '../../cooperative.ts'
import { matchInSteps } from '../pieces.ts'

/** Text that a page would not show, and by what it was hidden. */
export type HiddenText = { carrier: 'comment' | 'invisible style' | 'title'; text: string }

const MAX_HIDDEN = 25

/** What HTML and Markdown hide: comments, elements styled away, titles and alternative texts, reference comments. Bounded in number. */
export function* findHiddenText(text: string): Steps<HiddenText[]> {
  const found = [...(yield* comments(text)), ...(yield* invisible(text)), ...(yield* titles(text))]
  const shown: HiddenText[] = []
  for (const hidden of found) {
    yield
    if (/\p{L}{2}/u.test(hidden.text)) shown.push(hidden)
  }
  return shown
}

function* comments(text: string): Steps<HiddenText[]> {
  const found: HiddenText[] = []
  for (let at = text.indexOf('<!--'); at >= 0 && found.length < MAX_HIDDEN; ) {
    const end = text.indexOf('-->', at + 4)
    found.push({ carrier: 'comment', text: text.slice(at + 4, end < 0 ? at + 3000 : end) })
    at = end < 0 ? -1 : text.indexOf('<!--', end)
  }
  for (const match of matchInSteps(
    text,
    /^\[(?:\/\/|comment|_metadata_)[^\]\n]{0,40}\]:[ \t]{0,4}(?:#|<>)[ \t]{1,4}(?:["']([^\n]{0,2000})["']|\(([^\n]{0,2000})\))/gm,
  )) {
    if (match === undefined) {
      yield
      continue
    }
    const [, , quoted, braced] = match
    found.push({ carrier: 'comment', text: quoted ?? braced ?? '' })
  }
  return found
}

const away =
  /display:none|visibility:hidden|opacity:0(?:[;"'\s]|\.0)|font-size:(?:0|1)(?:px|pt|em)?[;"']|(?:color:(?:white|#fff(?:fff)?|transparent)[;"'])|(?:left|top|text-indent):-\d{3,}|height:0(?:px)?;|aria-hidden="true"|(?:^|\s)hidden(?:[\s=]|$)/

function* invisible(text: string): Steps<HiddenText[]> {
  const found: HiddenText[] = []
  for (const tag of matchInSteps(text, /<[a-z][a-z0-9]{0,12}\s([^<>]{1,400})>/gi)) {
    if (tag === undefined) {
      yield
      continue
    }
    if (found.length >= MAX_HIDDEN) break
    if (!away.test((tag[1] ?? '').toLowerCase().replace(/:\s+/g, ':'))) continue
    const start = tag.index + tag[0].length
    const end = text.indexOf('</', start)
    found.push({ carrier: 'invisible style', text: text.slice(start, end < 0 ? start + 3000 : end) })
  }
  return found
}

function* titles(text: string): Steps<HiddenText[]> {
  const found: HiddenText[] = []
  for (const match of matchInSteps(
    text,
    /\]\([^()\s]{0,400}\s+["']([^"'\n]{12,1000})["']\)|\s(?:title|alt|aria-label|content)="([^"\n]{12,1000})"|!\[([^\]\n]{20,300})\]\(/gi,
  )) {
    if (match === undefined) {
      yield
      continue
    }
    if (found.length >= MAX_HIDDEN) break
    found.push({ carrier: 'title', text: match[1] ?? match[2] ?? match[3] ?? '' })
  }
  return found
}
