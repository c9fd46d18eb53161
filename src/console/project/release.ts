import type { Release } from '../../store/release.ts'
import { toButton, toConfirmButton } from '../markup/form.ts'
import { toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, short, toBadge, toCountedHeading, toFacts, toTable } from '../markup/table.ts'
import { toPageLink } from '../paging.ts'

/** The state of a text's release; undefined if nobody requested it. */
export type ReleaseState = Release['state'] | undefined

/** A release with names in place of ids. */
export type NamedRelease = Omit<Release, 'askedBy' | 'decidedBy'> & {
  askedBy: string | undefined
  decidedBy: string | undefined
}

export type ReleaseLists = {
  /** Whether the visitor may decide. */
  mayDecide: boolean
  /** Requested and not decided yet. */
  waiting: NamedRelease[]
  /** One page of those allowed, how many there are, and the link to more. */
  allowed: NamedRelease[]
  allowedCount: number
  more: string | undefined
  /** Those requested by the visitor. */
  own: NamedRelease[]
}

const STATE_LOOKS = { asked: 'warn', allowed: 'good', declined: 'bad' } as const
const STATE_LABELS = { asked: 'asked for', allowed: 'released', declined: 'declined' } as const

/** The state of a release. */
export const toStateBadge = (state: Release['state']): Html => toBadge(STATE_LABELS[state], STATE_LOOKS[state])

/** The state of a release as a link to its page. */
export function toReleaseLink(at: string, hash: string, state: Release['state']): Html {
  return html`<a href="${at}/releases/${hash}">${toStateBadge(state)}</a>`
}

/**
 * The releases of a project: for those who decide, the waiting and the allowed ones; for everyone, their own requests.
 */
export function toReleases(at: string, { mayDecide, waiting, own, ...allowed }: ReleaseLists): Html {
  return html`${mayDecide && waiting.length > 0 ? toWaiting(at, waiting) : undefined}
${own.length > 0 ? toOwn(at, own) : undefined}
${mayDecide && allowed.allowedCount > 0 ? toAllowed(at, allowed) : undefined}`
}

function toWaiting(at: string, waiting: NamedRelease[]): Html {
  const rows = waiting.map((one) => [
    toWhen(one.askedAt, one.askedBy),
    html`<bdi>${one.why ?? '–'}</bdi>`,
    one.reason ?? '–',
    html`<a class="button small" href="${at}/releases/${one.hash}" aria-label="Read the text and decide: ${one.hash.slice(0, 8)}">Read and decide</a>`,
  ])
  return html`<section>${toCountedHeading('Waiting for your decision', rows.length)}
${toTable('Texts that somebody asks to release', ['Asked', 'Why', 'What the guard says', ACTIONS], rows)}
</section>`
}

function toOwn(at: string, own: NamedRelease[]): Html {
  const rows = own.map((one) => [
    toTime(one.askedAt),
    toTextLink(at, one),
    html`<div>${toStateBadge(one.state)}${one.decidedBy === undefined ? undefined : html`<small class="under">by <bdi>${one.decidedBy}</bdi></small>`}</div>`,
    one.state === 'asked' ? toWithdrawButton(at, one.hash) : '',
  ])
  return html`<section>${toCountedHeading('What you asked for', rows.length)}
${toTable('Texts that you asked to release', ['Asked', 'Text', short('State'), ACTIONS], rows)}
</section>`
}

/** What a button is about, for screen readers. */
const toAbout = (hash: string): string => `text ${hash.slice(0, 8)}`

function toWithdrawButton(at: string, hash: string): Html {
  return toButton(`${at}/withdraw`, 'Withdraw', { fields: { hash }, about: toAbout(hash) })
}

type Allowed = Pick<ReleaseLists, 'allowed' | 'allowedCount' | 'more'>

function toAllowed(at: string, { allowed, allowedCount, more }: Allowed): Html {
  const rows = allowed.map((one) => [
    toWhen(one.decidedAt, one.decidedBy),
    one.askedAt === null ? '–' : toWhen(one.askedAt, one.askedBy),
    toTextLink(at, one),
    toRevokeButton(at, one.hash),
  ])
  return html`<section>${toCountedHeading('Released texts', allowedCount)}
${toTable('Released texts', ['Decided', 'Asked', 'Text', ACTIONS], rows, 'None.')}
${toPageLink(more, 'More')}
</section>`
}

const REVOCATION_EFFECT =
  'It is refused again from the next save on. Records with it stay; forget those that should go.'

function toRevokeButton(at: string, hash: string): Html {
  return toConfirmButton(`${at}/revoke`, 'Revoke', REVOCATION_EFFECT, {
    fields: { hash },
    about: toAbout(hash),
  })
}

function toWhen(at: number | null, who: string | undefined): Html {
  return html`<div>${toTime(at)}${who === undefined ? undefined : html`<small class="under">by <bdi>${who}</bdi></small>`}</div>`
}

/** Maximum length of a text in tables, in UTF-16 code units. */
const MAX_SHOWN_CHARACTERS = 80

function toTextLink(at: string, { hash, text }: Pick<Release, 'hash' | 'text'>): Html {
  const href = `${at}/releases/${hash}`
  if (text === null) return html`<a href="${href}"><code>${hash.slice(0, 8)}…</code></a>`
  const beginning = toVisible(text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed())
  return html`<a href="${href}"><bdi>${beginning}${text.length > MAX_SHOWN_CHARACTERS ? '…' : ''}</bdi></a>`
}

/**
 * The page of one release: the full text, who requested it and why, and the buttons to decide. `at` is the path of the
 * guard's page.
 */
export function toRelease(
  at: string,
  release: NamedRelease,
  rights: { mayDecide: boolean; mayWithdraw: boolean },
): Html {
  const { mayDecide, mayWithdraw } = rights
  const { hash, state, text, reason, why, askedBy, askedAt, decidedBy, decidedAt } = release
  return html`<p class="back"><a href="${at}">Guard</a></p>
<h1>${state === 'asked' && mayDecide ? 'Release this text?' : 'A refused text'}</h1>
${toFacts([
  ['State', toStateBadge(state)],
  ['Asked', askedAt === null ? undefined : toWhen(askedAt, askedBy)],
  ['Why', why === null ? undefined : html`<bdi>${why}</bdi>`],
  ['What the guard says', reason ?? undefined],
  ['Decided', decidedAt === null ? undefined : toWhen(decidedAt, decidedBy)],
  ['Size', text === null ? undefined : `${toCount(text.length)} characters, ${toCount(text.split('\n').length)} lines`],
  ['Hash', html`<code>${hash}</code>`],
])}
${text === null ? html`<p class="quiet">The text is not kept.</p>` : toFullText(text)}
${mayDecide ? toDecisionButtons(at, hash, state) : undefined}
${mayWithdraw ? html`<div class="row">${toWithdrawButton(at, hash)}</div>` : undefined}`
}

function toFullText(text: string): Html {
  const visible = toVisible(text)
  return html`<h2>The whole text</h2>
<div class="panel"><p class="content" dir="auto">${visible}</p></div>
${visible === text ? undefined : html`<p class="alarm">It has invisible characters, shown here as ⟨U+…⟩.</p>`}`
}

function toDecisionButtons(at: string, hash: string, state: Release['state']): Html | undefined {
  const action = `${at}/releases/${hash}`
  const about = toAbout(hash)
  if (state === 'allowed') return html`<div class="row">${toRevokeButton(at, hash)}</div>`
  if (state === 'declined') return undefined
  return html`<p>If you release it, anybody can save exactly this text in this project, in any scope, and assistants will read it. If you decline, it is erased.</p>
<div class="row">${toButton(action, 'Release it', { fields: { answer: 'release' }, look: 'danger', about })}${toButton(action, 'Decline', { fields: { answer: 'decline' }, about })}</div>`
}

/** Control, format and separator characters, and others without a glyph; not line feed, tab and space. */
const INVISIBLE = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
const INVISIBLE_RUNS = new RegExp(`(${INVISIBLE.source})\\1*`, 'gu')

/**
 * A text with invisible characters written as code points, `⟨U+200B⟩`, and runs as `⟨U+200B ×12⟩`. These include the
 * characters that change the writing direction.
 */
function toVisible(text: string): string {
  return text.replace(INVISIBLE_RUNS, (run, one: string) => {
    const number = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return run.length === one.length ? `⟨U+${number}⟩` : `⟨U+${number} ×${run.length / one.length}⟩`
  })
}
