import type { Verdict } from '../memory/guard/verdict.ts'
import type { AuditEntry } from '../store/audit.ts'
import { toButton, toTextArea } from './form.ts'
import { type Html, html } from './html.ts'
import { toOlder } from './older.ts'
import { toBadge, toFacts, toTable } from './table.ts'
import { toTime } from './time.ts'

/** A rejection as the audit log has it; `who` is a name, `allowed` whether the content may pass by now. */
export type Rejection = Pick<AuditEntry, 'at' | 'origin' | 'details'> & { hash: string; who: string; allowed: boolean }

/** What the guard says of a text that somebody asks about. */
export type Judged = { hash: string; verdict: Verdict; allowed: boolean }

/** `back` is the page's own path, to which its acts return. */
export type GuardPage = {
  path: string
  back: string
  text: string
  judged: Judged | undefined
  rejections: Rejection[]
  older: string | undefined
}

/** Why records of the project were rejected, and what the guard would say of a text. */
export function toGuard({ path, back, text, judged, rejections, older }: GuardPage): Html {
  return html`<h1>Guard</h1>
<p class="quiet">The Security Guard rejects records that are addressed to agents. Whoever saved one reads only that it was rejected; the reasons stand here. The text itself is not kept.</p>
<section class="panel" id="try"><h2>Ask the guard</h2>
<form method="post" action="${path}/guard/explain#try">
${toTextArea({ name: 'text', label: 'Text', value: text, hint: 'The content of one record, exactly as it was to be saved. It is not kept.', required: true })}
<div class="actions"><button class="main">Explain</button></div>
</form>
${judged === undefined ? undefined : toVerdict(path, back, judged)}
</section>
<section><h2>Rejected, newest first</h2>
${toTable(
  'Rejections of this project',
  COLUMNS,
  rejections.map((one) => toRow(path, back, one)),
  'Nothing was rejected.',
)}
${rejections.length === 0 ? undefined : html`<p class="quiet">The hash is that of the content, also where its fact key or source was the reason. Once it may pass, the record is remembered when it is saved again.</p>`}
${toOlder(older)}
</section>`
}

const COLUMNS = [
  { label: 'When' },
  { label: 'Why' },
  { label: 'Score', look: 'number' as const },
  { label: 'May pass', look: 'short' as const },
]

function toRow(path: string, back: string, { at, origin, details, hash, who, allowed }: Rejection): Html[] {
  const { family, score } = details
  return [
    html`<div>${toTime(at)}<small class="under">by <bdi>${who}</bdi>${origin === null ? undefined : `, from ${origin}`}</small></div>`,
    html`<div>${toText(family, 'unknown')}<small class="under">${toGround(details)}</small><small class="under">content <code>${hash}</code></small></div>`,
    html`${typeof score === 'number' ? score.toFixed(3) : '–'}`,
    allowed ? toBadge('may pass', 'good') : toAllowButton(path, back, hash, 'Let it pass'),
  ]
}

/** Where in the record, how it was read, and by which rules. */
function toGround({ field, view, rules }: Rejection['details']): string {
  const read = `in ${toText(field, 'content')}, read ${toText(view, 'as written')}`
  return rules ? `${read}: ${rules}` : `${read}: no single rule, the wording as a whole`
}

function toText(value: Rejection['details'][string] | undefined, unknown: string): string {
  return typeof value === 'string' ? value : unknown
}

function toVerdict(path: string, back: string, { hash, verdict, allowed }: Judged): Html {
  const { rejected, reason, score, points, view, base, classifier, reporting, concealment, signs } = verdict
  const rows = signs.map((sign) => [
    html`${sign.family}`,
    html`${sign.rule}`,
    html`<bdi>${sign.words}</bdi>${sign.described ? html` ${toBadge('described')}` : undefined}`,
    html`${toPoints(sign.points)}`,
  ])
  return html`<div class="verdict" role="status">
<h3>${rejected ? toBadge('rejected', 'bad') : toBadge('passes', 'good')} ${reason}</h3>
${toFacts([
  ['Score', `${score.toFixed(3)}, rejected from 0.5`],
  ['Read', view],
  [
    'Points',
    html`${toPoints(points)}<small>base ${toPoints(base)}, classifier ${toPoints(classifier)}, reporting ${toPoints(reporting)}, concealment ${toPoints(concealment)}, and those of the signs; rejected above 0</small>`,
  ],
  ['Content hash', html`<code>${hash}</code>`],
])}
${toTable('Signs', [{ label: 'Family' }, { label: 'Rule' }, { label: 'Words' }, { label: 'Points', look: 'number' }], rows, 'No rule matched.')}
${rejected ? toPass(path, back, hash, allowed) : undefined}
</div>`
}

function toPass(path: string, back: string, hash: string, allowed: boolean): Html {
  if (allowed) return html`<p>${toBadge('may pass', 'good')} Somebody let this content pass in this project.</p>`
  return html`<div class="row">${toAllowButton(path, back, hash, 'Let it pass in this project')}</div>`
}

function toAllowButton(path: string, back: string, hash: string, label: string): Html {
  return toButton(`${path}/guard/allow`, label, { fields: { hash, back }, about: `content ${hash.slice(0, 8)}` })
}

function toPoints(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)}`
}
