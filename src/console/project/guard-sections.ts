import type { Verdict } from '../../guard/verdict.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { toField, toHiddenFields, toTextArea } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge, toFacts, toTable } from '../markup/table.ts'
import { toOlderLink } from '../paging.ts'
import { type ReleaseLists, type ReleaseState, toReleaseLink, toReleases } from './release.ts'

/** An entry of the audit log about a record that the guard rejected. */
export type Rejection = Pick<AuditEntry, 'at' | 'via' | 'details'> & {
  /** The hash of the rejected text. */
  hash: string
  /** The name of the member or key that tried to save it. */
  who: string
  /** The state of the text's release, as far as the visitor may know it. */
  state: ReleaseState
  /** Whether the visitor tried to save it. */
  isOwn: boolean
}

/** The guard's verdict on a text entered by the visitor, and the state of that text's release. */
export type Explanation = { hash: string; verdict: Verdict; state: ReleaseState }

type GuardPage = {
  /** The path of the project. */
  path: string
  /** The text that the verdict is about; empty if there is none. */
  text: string
  /** The visitor's reason for a release. */
  why: string
  explanation: Explanation | undefined
  releases: ReleaseLists
  rejections: Rejection[]
  older: string | undefined
}

/** Releases, a form that checks a text with the guard, and the rejected records. */
export function toGuard({ path, text, why, explanation, releases, rejections, older }: GuardPage): Html {
  return html`<h1>Guard</h1>
<p class="quiet">The Security Guard rejects texts that look like instructions for assistants. Whoever saves one is told only that it was rejected; the reasons are here. The text is not kept: to have it saved all the same, paste it below and ask for its release.</p>
${toReleases(path, releases)}
<section class="panel" id="try"><h2>Ask the guard</h2>
<form method="post" action="${path}/guard/explain#try">
${toTextArea({ name: 'text', label: 'Text', value: text, hint: 'The content of one record, or the fact key or source that was rejected, exactly as it was to be saved. It is kept only if you ask for its release.', required: true })}
<div class="actions"><button class="main">Explain</button></div>
</form>
${explanation === undefined ? undefined : toVerdict(path, { text, why }, explanation)}
</section>
<section><h2>Rejected, newest first</h2>
${toTable(
  'Rejections of this project',
  COLUMNS,
  rejections.map((one) => toRow(path, one)),
  'Nothing was rejected.',
)}
${rejections.length === 0 ? undefined : html`<p class="quiet">The hash is that of the text that was the reason: the content, the fact key or the source. Once it may pass, the record is remembered when it is saved again.</p>`}
${toOlderLink(older)}
</section>`
}

const COLUMNS = [
  { label: 'When', look: 'long' as const },
  { label: 'Why' },
  { label: 'Score', look: 'number' as const },
  { label: 'May pass', look: 'short' as const },
]

function toRow(path: string, { at, via, details, hash, who, state, isOwn }: Rejection): Html[] {
  const { family, why, score } = details
  return [
    html`<div>${toTime(at)}<small class="under">by <bdi>${who}</bdi>${via === null ? undefined : `, from ${via}`}</small></div>`,
    html`<div>${toText(why, toText(family, 'unknown'))}<small class="under">${toGrounds(details)}</small><small class="under">text <code>${hash}</code></small></div>`,
    html`${typeof score === 'number' ? score.toFixed(3) : '–'}`,
    toReleaseCell(path, { hash, state, isOwn }),
  ]
}

/** The rejected field, the view of it that the guard read, and the rules that matched. */
function toGrounds({ field, view, rules }: Rejection['details']): string {
  const read = `in ${toText(field, 'content')}, read ${toText(view, 'as written')}`
  return rules ? `${read}: ${rules}` : `${read}: no single rule, the wording as a whole`
}

function toText(value: Rejection['details'][string] | undefined, unknown: string): string {
  return typeof value === 'string' ? value : unknown
}

/** The state of a text's release; if nobody has requested it and the text is the visitor's own, a link to request it. */
function toReleaseCell(path: string, { hash, state, isOwn }: Pick<Rejection, 'hash' | 'state' | 'isOwn'>): Html {
  if (state !== undefined) return toReleaseLink(path, hash, state)
  return isOwn ? html`no; <a href="${path}/guard#try">ask for it</a>` : html`no`
}

const VERDICTS: Record<Explanation['verdict']['verdict'], [text: string, look: 'bad' | 'warn' | 'good']> = {
  refused: ['refused', 'bad'],
  marked: ['marked: saved with a caution', 'warn'],
  clean: ['clean', 'good'],
}

function toVerdict(path: string, form: { text: string; why: string }, { hash, verdict, state }: Explanation): Html {
  const { reasons, score, view } = verdict
  return html`<div class="verdict" role="status">
<h3>${toBadge(...VERDICTS[verdict.verdict])}</h3>
${reasons.length === 0 ? undefined : html`<ul>${reasons.map(({ says, words }) => html`<li>${says}${words === '' ? undefined : html`: <q>${words}</q>`}</li>`)}</ul>`}
${toFacts([
  ['Score', `${score.toFixed(3)}, refused from 0.5`],
  ['Read', view],
  ['Hash', html`<code>${hash}</code>`],
])}
${verdict.verdict === 'refused' ? toReleaseForm(path, form, hash, state) : undefined}
</div>`
}

/** The form that requests the release of the checked text. */
function toReleaseForm(path: string, { text, why }: { text: string; why: string }, hash: string, state: ReleaseState): Html {
  if (state === 'allowed') return html`<p>${toBadge('may pass', 'good')} This text may pass in this project.</p>`
  if (state === 'asked') return html`<p>${toReleaseLink(path, hash, state)} It waits for an owner or admin.</p>`
  return html`<h3>Ask for its release</h3>
<p class="quiet">Owners and admins of the account read the text, your name and your reason, and decide. Do not ask for a text with a secret in it.</p>
<form method="post" action="${path}/guard/ask#try">${toHiddenFields({ text })}
${toField({ name: 'why', label: 'Why it should be remembered', value: why, required: true, maxlength: 500 })}
<div class="actions"><button class="main">Ask for its release</button></div>
</form>`
}
