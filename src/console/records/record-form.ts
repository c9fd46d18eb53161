import { type OpenQuestion, toPhrase } from '../../memory/questions/questions.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import { REJECTED } from '../../memory/rejections/pass-guard.ts'
import type { DiffPart } from '../../text/word-diff.ts'
import {
  FORM_ID,
  type Option,
  toCheckbox,
  toField,
  toHiddenFields,
  toSelect,
  toShown,
  toTextArea,
} from '../markup/form.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import { toQueryPath } from '../paging.ts'
import { toProvenance, toRecordCard, toRecordList, toRecordPath, toStatusBadges } from './record-card.ts'
import { toContent, toDiff } from './text.ts'

/** What the fields of a record form hold before anything was typed; empty if left out. */
export type InitialRecord = {
  factKey?: string
  workspace: string
  scope?: string
  source?: string
  question?: OpenQuestion | undefined
  content?: string
  /** The id of the suggestion that it is made of. */
  suggestion?: string
}

type NewRecordPage = {
  /** The path of the project. */
  path: string
  initial: InitialRecord
  /** Names of existing workspaces, offered as suggestions. */
  workspaces: string[]
  /** Whether the visitor has a department to share with. */
  hasDepartment: boolean
}

/** The scopes that the author of a record can choose. */
export function toScopeOptions(hasDepartment: boolean): Option[] {
  return [
    { value: 'shared', label: 'shared: everybody' },
    ...(hasDepartment ? [{ value: 'department', label: 'department: yours' }] : []),
    { value: 'draft', label: 'draft: you alone' },
  ]
}

/** The form for a new record. */
export function toNewRecord({ path, initial, workspaces, hasDepartment }: NewRecordPage): Html {
  const at = `${path}/records`
  return html`<p class="back"><a href="${at}">All records</a></p>
<h1>New record</h1>
<form method="post" action="${at}/new" class="panel">${FORM_ID}
${initial.question && toHiddenFields({ question: initial.question.id })}${initial.suggestion && toHiddenFields({ suggestion: initial.suggestion })}
${toTextArea({ name: 'content', label: 'Text', value: initial.content, required: true, hint: 'A fact, decision or note, in a few sentences that make sense on their own.' })}
${toAskedAs(initial.question && [toPhrase(initial.question)])}
${toGuardHint(path)}
<div class="grid">
${toField({ name: 'fact_key', label: 'Fact key', value: initial.factKey, maxlength: 128, hint: 'A stable name for a fact that may change, such as “deploy.day”. The record supersedes the current one of that key.' })}
${toField({ name: 'workspace', label: 'Workspace', value: initial.workspace, maxlength: 64, suggestions: workspaces })}
${toSelect({ name: 'scope', label: 'Scope', value: initial.scope ?? 'shared' }, toScopeOptions(hasDepartment))}
${toField({ name: 'source_id', label: 'Source', value: initial.source, maxlength: 512, hint: 'Where it comes from: a path, a URL, a ticket.' })}
${toField({ name: 'source_hash', label: 'Source hash', maxlength: 512, hint: 'Such as a commit. Records saved with another hash of this source become stale.' })}
${toExpiry()}
</div>
${CONFIRM}
<div class="actions"><button class="main">Save</button><a class="button" href="${at}">Cancel</a></div>
</form>`
}

type EditPage = {
  /** The path of the project. */
  path: string
  record: ShownRecord
  /** Other current records of its fact key. */
  others: ShownRecord[]
  /** The day on which it expires; empty for none. */
  expires: string
  /**
   * Set if somebody saved the record while another text was typed: what saving that would change, unless they have
   * little in common.
   */
  changes?: { diff: DiffPart[] | undefined } | undefined
}

/** The form that corrects a record. */
export function toEditRecord(page: EditPage): Html {
  const { path, record, others, changes } = page
  const form = toEditForm(page)
  return html`<p class="back"><a href="${toRecordPath(path, record.id)}">The record</a></p>
<h1>Edit</h1>
<p>${toEffect(record)}</p>
${changes === undefined ? form : html`<div class="sides">${toPresent(path, record, changes.diff)}${form}</div>`}
${toOthers(path, record, others)}`
}

function toEditForm({ path, record, others, expires }: EditPage): Html {
  const back = toRecordPath(path, record.id)
  return html`<form method="post" action="${back}/edit" class="panel">${FORM_ID}
${toHiddenFields({ seen: others.map(({ id }) => id).join(' ') })}${toShown({ asked_as: (record.asked_as ?? []).join('\n'), expires_at: expires })}
${toTextArea({ name: 'content', label: 'Text', value: record.content, required: true }, { isFitted: true })}
${toAskedAs(record.asked_as)}
${toGuardHint(path)}
<div class="grid">${toExpiry(expires)}</div>
${CONFIRM}
<div class="actions"><button class="main">Save</button><a class="button" href="${back}">Cancel</a></div>
</form>`
}

/** What is there now, and what saving the text that was typed would change. */
function toPresent(path: string, record: ShownRecord, diff: DiffPart[] | undefined): Html {
  return html`<section class="panel" aria-labelledby="present"><h2 id="present">The current text</h2>
${toContent(record.content)}
<p class="meta">${toStatusBadges(record)}${toProvenance(path, record)}</p>
${diff && html`<h3>What your text would change</h3>${toDiff(diff)}`}
</section>`
}

/** Where to go with a text that the guard rejected. */
function toGuardHint(path: string): Html {
  return inContext(({ refused }) =>
    refused?.error === REJECTED
      ? html`<p class="quiet">Under <a href="${path}/guard">Guard</a> you can read why, and ask for its release.</p>`
      : html``,
  )
}

/** In place of the form, for a record whose fact key was made of its words and belongs to very many others, too. */
export function toUneditable(path: string, { id, workspace }: ShownRecord): Html {
  const back = toRecordPath(path, id)
  return html`<p class="back"><a href="${back}">The record</a></p>
<h1>Edit</h1>
<p>Many other records begin with the same words and so have the same fact key: a correction would supersede them all. Write a new record instead, and forget this one.</p>
<div class="actions"><a class="button main" href="${toQueryPath(`${path}/records/new`, { workspace })}">New record</a><a class="button" href="${back}">Cancel</a></div>`
}

function toEffect({ status, fact_key: key }: ShownRecord): Html {
  const kept = html`Nothing is overwritten: the correction is a new record of the fact key <code><bdi>${key}</bdi></code>, and this one stays in its history as superseded.`
  return status === 'verified'
    ? html`${kept} As this one is verified, it stays current until somebody confirms the correction.`
    : kept
}

function toOthers(path: string, { fact_key_given: isGiven }: ShownRecord, others: ShownRecord[]): Html | undefined {
  if (others.length === 0) return undefined
  const why = isGiven
    ? 'Something else is saved under the same fact key. The correction supersedes unverified records of the key too, and verified ones if you confirm it.'
    : 'This record was saved without a fact key, and the key made of its words is the same for these: the correction supersedes them too, verified ones if you confirm it.'
  return html`<h2>${others.length === 1 ? 'Another record' : 'Other records'} of its fact key</h2><p class="quiet">${why}</p>
${toRecordList(others.map((other) => toRecordCard(path, other)))}`
}

const toAskedAs = (phrases: string[] = []): Html =>
  toTextArea(
    {
      name: 'asked_as',
      label: 'Asked as',
      value: phrases.join('\n'),
      hint: 'Other ways to ask for it, one per line, at most 12. Searches find the record by them, but do not show them.',
    },
    { rows: 3 },
  )

const toExpiry = (value = ''): Html =>
  toField({
    name: 'expires_at',
    label: 'Expires',
    type: 'date',
    value,
    hint: 'From then on it counts as stale. Leave it empty if it does not expire.',
  })

const CONFIRM = toCheckbox({ name: 'confirm', label: 'I confirm that it is true: verify it' })
