import { toIsoTime } from '../../clock.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import {
  type Editable,
  type Edited,
  editRecord,
  readEditable,
  readPresent,
} from '../../memory/records/save/edit-record.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { phrasesOf, type StoredRecord } from '../../store/record.ts'
import { type DiffPart, diffWords } from '../../text/word-diff.ts'
import type { Done } from '../done-messages.ts'
import { readChanged } from '../form.ts'
import { FORM_ID, SHOWN, toHiddenFields, toShown, toTextArea } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { type Answer, type MemoryRequest, openForWriting, type PageContent, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { redirectUndoable } from '../response.ts'
import { showAsNew } from './new-record.ts'
import {
  toContent,
  toDiff,
  toProvenance,
  toRecordCard,
  toRecordList,
  toRecordPath,
  toStatusBadges,
} from './record-card.ts'
import { CONFIRM, readChangedPhrases, readText, redirectTo, toAskedAs, toExpiry, toGuardHint } from './record-form.ts'

/** The page on which a person corrects a record. */
export const edit = pageOf(openForWriting, {
  path: '/console/projects/:project/records/:record/edit',
  show: showEdit,
  forms: { '': saveEdit },
})

async function showEdit(req: MemoryRequest): Promise<PageContent> {
  const { service, caller, refused } = req
  const id = req.params.record ?? ''
  if (refused === undefined) return showCorrection(req, await readEditable(service, caller, id))
  const { record, present } = await readPresent(service, caller, id)
  if (present === undefined)
    return { ...(await showAsNew(req, record)), refused: { ...refused, error: FORGOTTEN_MEANWHILE } }
  const editable = await readEditable(service, caller, present.id)
  if (editable.others === undefined) return showAsNew(req, { ...present, factKeyGiven: false })
  if (present.id === id) return showCorrection(req, editable)
  const typed = readText(refused.fields, 'content')
  const overtaken = await showCorrection(req, editable, { diff: await diffWords(editable.record.content, typed) })
  return { ...overtaken, refused: { ...refused, error: CORRECTED_MEANWHILE } }
}

const CORRECTED_MEANWHILE =
  'somebody saved something else while you wrote, and nothing of yours is saved yet; look at both and save again'

const FORGOTTEN_MEANWHILE =
  'somebody forgot the record while you wrote, and nothing of yours is saved yet; saved from here, it becomes a new record'

/** The form for a correction; after a lost race, with `changes`, what was typed stands beside what is there now. */
async function showCorrection(
  { service, path, prepareShown }: MemoryRequest,
  { record, others }: Editable,
  changes?: { diff: DiffPart[] | undefined },
): Promise<PageContent> {
  const toShown = await prepareShown([record, ...(others ?? [])])
  const page = { path, record: toShown(record), expires: toDate(record, service.clock.now()), changes }
  const body = others === undefined ? toUneditable(page) : toEditRecord({ ...page, others: others.map(toShown) })
  return { title: 'Edit', section: `${path}/records`, body }
}

async function saveEdit(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, params, project, caller, memory } = req
  const before = await memory.findRecord(visibleTo(caller), params.record ?? '')
  const present = before && toShownFields(before, service.clock.now())
  const askedAs = readChangedPhrases(form, present?.asked_as ?? '')
  const expires = readChanged(form).get('expires_at') ?? present?.expires_at
  const edited = await editRecord(service, actor, {
    projectId: project.id,
    id: params.record ?? '',
    content: readText(form, 'content'),
    askedAs,
    expiresAt: expires?.trim() || undefined,
    confirm: form.get('confirm') === 'yes',
    seen: (form.get('seen') ?? '').split(' '),
  })
  if (before === undefined || !edited.isAmended) return redirectTo(req, edited, toEditedMessage(edited))
  const fields = {
    content: before.content,
    asked_as: phrasesOf(before).join('\n'),
    [`${SHOWN}asked_as`]: askedAs.join('\n'),
    expires_at: before.expiresAt === null ? '' : toIsoTime(before.expiresAt),
  }
  const message = edited.isContested ? 'record.contested' : 'record.amended'
  return redirectUndoable(req, message, { fields }, toRecordPath(req.path, edited.id))
}

function toEditedMessage({ created, isProposal, isAmended }: Edited): Done {
  if (isAmended === false) return 'record.verified'
  if (!created) return 'record.known'
  return isProposal ? 'record.proposed' : 'record.edited'
}

/** What the form shows of a record beside its content. */
const toShownFields = (record: StoredRecord, now: number) => ({
  asked_as: phrasesOf(record).join('\n'),
  expires_at: toDate(record, now),
})

/** The expiry date of a record, if it is in the future. */
function toDate({ expiresAt }: StoredRecord, now: number): string {
  return expiresAt === null || expiresAt <= now ? '' : toIsoTime(expiresAt).slice(0, 10)
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
function toEditRecord(page: EditPage): Html {
  const { path, record, others, changes } = page
  const form = toForm(page)
  return html`<p class="back"><a href="${toRecordPath(path, record.id)}">The record</a></p>
<h1>Edit</h1>
<p>${toEffect(record)}</p>
${changes === undefined ? form : html`<div class="sides">${toPresent(path, record, changes.diff)}${form}</div>`}
${toOthers(path, record, others)}`
}

function toForm({ path, record, others, expires }: EditPage): Html {
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

/** In place of the form, for a record whose fact key was made of its words and belongs to very many others, too. */
function toUneditable({ path, record: { id, workspace } }: Pick<EditPage, 'path' | 'record'>): Html {
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
