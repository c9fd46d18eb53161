import type { Verdict } from '../../guard/verdict.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { FORM_ID, toField, toHiddenFields, toTextArea } from '../markup/form.ts'
import { toSentence, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, toBadge, toCountedHeading, toFacts, toTable } from '../markup/table.ts'
import { toPageLink } from '../paging.ts'
import { type ReleaseLists, type ReleaseState, toReleaseLink, toReleases, toStateBadge } from './release.ts'

/** An entry of the audit log about a record that the guard rejected. */
export type Rejection = Pick<AuditEntry, 'at' | 'via' | 'details'> & {
  /** The hash of the rejected text. */
  hash: string
  /** The name of the member or key that tried to save it. */
  who: string
  /** The state of the text's release, as far as the visitor may know it. */
  state: ReleaseState
  /** Whether the visitor may read the text of the release. */
  mayRead: boolean
  /** Whether the visitor tried to save it. */
  isOwn: boolean
}

/** The guard's verdict on a text entered by the visitor, and the state of that text's release. */
export type Explanation = { text: string; hash: string; verdict: Verdict; state: ReleaseState }

type GuardPage = {
  /** The path of the page. */
  at: string
  explanation: Explanation | undefined
  releases: ReleaseLists
  rejections: Rejection[]
  /** How many there are on all pages; undefined if more than are counted. */
  count: number | undefined
  older: string | undefined
}

/** Releases, a form that checks a text with the guard, and the rejected records. */
export function toGuard({ at, explanation, releases, rejections, count, older }: GuardPage): Html {
  return html`<h1>Guard</h1>
<p class="quiet">The Security Guard refuses texts that read like instructions to assistants, and tells whoever saves one why. Refused texts are not kept: to have one saved all the same, paste it below and ask for its release.</p>
${toReleases(at, releases)}
<section class="panel" id="try"><h2>Test a text</h2>
<form method="post" action="${at}/explain#try">${FORM_ID}
${toTextArea({ name: 'text', label: 'Text', value: explanation?.text ?? '', hint: 'The content of one record, or the fact key or source that was refused, exactly as it was to be saved. It is kept only if you ask for its release.', required: true })}
<div class="actions"><button class="main">Test</button></div>
</form>
${explanation === undefined ? undefined : toVerdict(at, explanation)}
</section>
<section>${toCountedHeading('Refused, newest first', count)}
${toTable('Refused texts', COLUMNS, toRows(at, rejections), 'Nothing was refused.')}
${rejections.length === 0 ? undefined : html`<p class="quiet">Which words led to a refusal is shown when you test the text above. A released text has to be saved again.</p>`}
${toPageLink(older, 'Older')}
</section>`
}

const COLUMNS = [long('When'), long('Why it was refused'), long('What to do')]

function toRows(at: string, rejections: Rejection[]) {
  return rejections.map(({ at: time, via, details, hash, who, ...release }) => {
    const why = toSentence(toText(details.why, toText(details.family, 'the reason is not known')))
    const field = toText(details.field, 'content').replaceAll('_', ' ')
    return [
      html`<div>${toTime(time)}<small class="under">by <bdi>${who}</bdi>${via === null ? undefined : `, from ${via}`}</small></div>`,
      html`<div>${why}<small class="under">In the ${field}.</small>${toCodes(details, hash)}</div>`,
      html`<div>${toReleaseCell(at, { hash, ...release })}</div>`,
    ]
  })
}

/** The rules that matched, the view of the text that the guard read, the score and the hash, behind one click. */
function toCodes({ rules, view, score, family }: Rejection['details'], hash: string): Html {
  return html`<details><summary>Codes</summary><ul class="details">
<li>kind: ${toText(family, 'unknown')}</li><li>rules: ${toText(rules, '') || 'none, the wording as a whole'}</li><li>read ${toText(view, 'as written')}</li>
<li>score: ${typeof score === 'number' ? score.toFixed(3) : '–'}, refused from 0.5</li><li>hash: <code>${hash}</code></li></ul></details>`
}

function toText(value: Rejection['details'][string] | undefined, unknown: string): string {
  return typeof value === 'string' ? value : unknown
}

/** The state of a text's release; if nobody has asked for it, who can. */
function toReleaseCell(
  at: string,
  { hash, state, mayRead, isOwn }: Pick<Rejection, 'hash' | 'state' | 'mayRead' | 'isOwn'>,
): Html | string {
  if (state !== undefined) return mayRead ? toReleaseLink(at, hash, state) : toStateBadge(state)
  if (!isOwn) return 'Its author can say it in other words, or ask here for its release.'
  return html`Say it in other words, or <a href="${at}#try">ask for its release</a>.`
}

const VERDICTS: Record<Explanation['verdict']['verdict'], [text: string, look: 'bad' | 'warn' | 'good']> = {
  refused: ['refused', 'bad'],
  marked: ['marked: saved with a caution', 'warn'],
  clean: ['clean', 'good'],
}

function toVerdict(at: string, explanation: Explanation): Html {
  const { hash, verdict } = explanation
  const { reasons, score, view } = verdict
  return html`<div class="verdict" role="status">
<h3>${toBadge(...VERDICTS[verdict.verdict])}</h3>
${reasons.length === 0 ? undefined : html`<ul>${reasons.map(({ says, words }) => html`<li>${says}${words === '' ? undefined : html`: <q>${words}</q>`}</li>`)}</ul>`}
${toFacts([
  ['Score', `${score.toFixed(3)}, refused from 0.5`],
  ['Read', view],
  ['Hash', html`<code>${hash}</code>`],
])}
${verdict.verdict === 'refused' ? toReleaseForm(at, explanation) : undefined}
</div>`
}

/** The form that requests the release of the checked text. */
function toReleaseForm(at: string, { text, hash, state }: Explanation): Html {
  if (state === 'allowed') return html`<p>${toBadge('released', 'good')} This text can be saved in this project.</p>`
  if (state === 'asked') return html`<p>${toReleaseLink(at, hash, state)} It waits for an owner or admin.</p>`
  return html`<h3>Ask for its release</h3>
<p class="quiet">Owners and admins of the account read the text, your name and your reason, and decide. Do not ask for a text with a secret in it.</p>
<form method="post" action="${at}/ask#try">${FORM_ID}${toHiddenFields({ text })}
${toField({ name: 'why', label: 'Why it should be saved', required: true, maxlength: 500 })}
<div class="actions"><button class="main">Ask for its release</button></div>
</form>`
}
