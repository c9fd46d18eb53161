import type { Release } from '../../store/release.ts'
import { toButton, toConfirmButton } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { toCount } from '../size.ts'

/** What was decided about a text; undefined where nobody asked. */
export type ReleaseState = Release['state'] | undefined

/** A release with names in place of ids. */
export type NamedRelease = Omit<Release, 'askedBy' | 'decidedBy'> & { askedBy: string | undefined; decidedBy: string | undefined }

export type ReleaseLists = {
  /** Whether the visitor decides. */
  decides: boolean
  waiting: NamedRelease[]
  allowed: NamedRelease[]
  /** The way to more that may pass. */
  more: string | undefined
  own: NamedRelease[]
}

const LOOKS = { asked: 'warn', allowed: 'good', declined: 'bad' } as const
const WORDS = { asked: 'asked for', allowed: 'may pass', declined: 'declined' } as const

const toState = (state: Release['state']): Html => toBadge(WORDS[state], LOOKS[state])

/** How it stands with a text, leading to its page. */
export function toReleaseLink(path: string, hash: string, state: Release['state']): Html {
  return html`<a href="${path}/guard/releases/${hash}">${toState(state)}</a>`
}

const WAITING: Column[] = [{ label: 'Asked' }, { label: 'Why' }, { label: 'What the guard says' }, { label: '', look: 'actions' }]
const OWN: Column[] = [{ label: 'Asked' }, { label: 'Text' }, { label: 'State', look: 'short' }, { label: '', look: 'actions' }]
const ALLOWED: Column[] = [{ label: 'Decided' }, { label: 'Asked' }, { label: 'Text' }, { label: '', look: 'actions' }]

/** What waits for a decision, what the visitor asked for, and what may pass. */
export function toReleases(path: string, { decides, waiting, allowed, more, own }: ReleaseLists): Html {
  return html`${decides && waiting.length > 0 ? toWaiting(path, waiting) : undefined}
${own.length > 0 ? toOwn(path, own) : undefined}
${decides && (allowed.length > 0 || more !== undefined) ? toAllowed(path, allowed, more) : undefined}`
}

function toWaiting(path: string, waiting: NamedRelease[]): Html {
  const rows = waiting.map((one) => [
    toWhen(one.askedAt, one.askedBy),
    html`<bdi>${one.why ?? '–'}</bdi>`,
    html`${one.reason ?? '–'}`,
    html`<a class="button small" href="${path}/guard/releases/${one.hash}" aria-label="Read the text and decide: ${one.hash.slice(0, 8)}">Read and decide</a>`,
  ])
  return html`<section class="panel"><h2>Waiting for your decision</h2>
${toTable('Texts that somebody asks to release', WAITING, rows, '')}
</section>`
}

function toOwn(path: string, own: NamedRelease[]): Html {
  const rows = own.map((one) => [
    toTime(one.askedAt),
    toBeginning(path, one),
    html`<div>${toState(one.state)}${one.decidedBy === undefined ? undefined : html`<small class="under">by <bdi>${one.decidedBy}</bdi></small>`}</div>`,
    one.state === 'asked' ? toWithdraw(path, one.hash) : html``,
  ])
  return html`<section class="panel"><h2>What you asked for</h2>
${toTable('Texts that you asked to release', OWN, rows, '')}
</section>`
}

function toWithdraw(path: string, hash: string): Html {
  return toButton(`${path}/guard/withdraw`, 'Take it back', { fields: { hash }, about: `text ${hash.slice(0, 8)}` })
}

function toAllowed(path: string, allowed: NamedRelease[], more: string | undefined): Html {
  const rows = allowed.map((one) => [
    toWhen(one.decidedAt, one.decidedBy),
    one.askedAt === null ? html`–` : toWhen(one.askedAt, one.askedBy),
    toBeginning(path, one),
    toRevoke(path, one.hash),
  ])
  return html`<section class="panel"><h2>What may pass</h2>
${toTable('Texts that may pass the guard', ALLOWED, rows, 'None.')}
${toMoreLink(more)}
</section>`
}

const REVOKES = 'It is rejected again from the next save on. Records that hold it stay; forget those that should go.'

function toRevoke(path: string, hash: string): Html {
  return toConfirmButton(`${path}/guard/revoke`, 'Revoke', REVOKES, { fields: { hash }, about: `text ${hash.slice(0, 8)}` })
}

function toWhen(at: number | null, who: string | undefined): Html {
  return html`<div>${toTime(at)}${who === undefined ? undefined : html`<small class="under">by <bdi>${who}</bdi></small>`}</div>`
}

/** Characters of a text that a table shows. */
const SHOWN = 80

function toBeginning(path: string, { hash, text }: Pick<Release, 'hash' | 'text'>): Html {
  const way = `${path}/guard/releases/${hash}`
  if (text === null) return html`<a href="${way}"><code>${hash.slice(0, 8)}…</code></a>`
  const beginning = toVisible(text.slice(0, SHOWN).toWellFormed())
  return html`<a href="${way}"><bdi>${beginning}${text.length > SHOWN ? '…' : ''}</bdi></a>`
}

type ReleasePage = {
  path: string
  release: NamedRelease
  /** Whether the visitor decides about it, and whether it may be taken back by them. */
  decides: boolean
  withdraws: boolean
}

/** One text in full, with who asked and why: what somebody reads before they decide, and confirms by its buttons. */
export function toRelease({ path, release, decides, withdraws }: ReleasePage): Html {
  const { hash, state, text, reason, why, askedBy, askedAt, decidedBy, decidedAt } = release
  return html`<p class="back"><a href="${path}/guard">Guard</a></p>
<h1>${state === 'asked' && decides ? 'Release this text?' : 'A text that was rejected'}</h1>
${toFacts([
  ['State', toState(state)],
  ['Asked', askedAt === null ? undefined : toWhen(askedAt, askedBy)],
  ['Why', why === null ? undefined : html`<bdi>${why}</bdi>`],
  ['What the guard says', reason ?? undefined],
  ['Decided', decidedAt === null ? undefined : toWhen(decidedAt, decidedBy)],
  ['Size', text === null ? undefined : `${toCount(text.length)} characters, ${toCount(text.split('\n').length)} lines`],
  ['Hash', html`<code>${hash}</code>`],
])}
${text === null ? html`<p class="quiet">The text is not kept.</p>` : toWhole(text)}
${decides ? toActs(path, hash, state) : undefined}
${withdraws ? html`<div class="row">${toWithdraw(path, hash)}</div>` : undefined}`
}

function toWhole(text: string): Html {
  const seen = toVisible(text)
  return html`<h2>The whole text</h2>
<div class="panel"><p class="content" dir="auto">${seen}</p></div>
${seen === text ? undefined : html`<p class="alarm">It has characters that cannot be seen; they are written as ⟨U+…⟩ here.</p>`}`
}

function toActs(path: string, hash: string, state: Release['state']): Html | undefined {
  const at = `${path}/guard/releases/${hash}`
  const about = `text ${hash.slice(0, 8)}`
  if (state === 'allowed') return html`<div class="row">${toRevoke(path, hash)}</div>`
  if (state === 'declined') return undefined
  return html`<p>Released, just this text may be saved in this project, by anybody and in any scope, and assistants will read it. Declined, it is erased here.</p>
<div class="row">${toButton(at, 'Release it', { fields: { answer: 'release' }, look: 'danger', about })}${toButton(at, 'Decline', { fields: { answer: 'decline' }, about })}</div>`
}

const UNSEEN = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u
const RUNS = new RegExp(`(${UNSEEN.source})\\1*`, 'gu')

/** A text in which every character is seen: those without a shape, and those that turn the direction, are written as their numbers. */
export function toVisible(text: string): string {
  return text.replace(RUNS, (run, one: string) => {
    const number = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return run.length === one.length ? `⟨U+${number}⟩` : `⟨U+${number} ×${run.length / one.length}⟩`
  })
}
