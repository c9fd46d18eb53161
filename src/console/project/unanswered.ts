import { Refusal } from '../../errors.ts'
import { MAX_QUESTION_LENGTH, MAX_QUESTIONS } from '../../memory/questions/keep-questions.ts'
import {
  dismissQuestion,
  linkQuestion,
  listQuestions,
  type OpenQuestion,
  requireQuestion,
  restoreQuestion,
  switchQuestions,
} from '../../memory/questions/questions.ts'
import { QUESTION_DAYS } from '../../memory/records/trash/purge.ts'
import { explainSearch } from '../../memory/search/explain.ts'
import { EVERY_WORKSPACE } from '../../memory/search/request.ts'
import { visibleTo } from '../../memory/visibility.ts'
import type { StoredRecord } from '../../store/record.ts'
import { readFiltered } from '../form.ts'
import { toButton, toConfirmButton, toField } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, toCountedHeading, toTable } from '../markup/table.ts'
import { type Answer, type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { PAGE_SIZE, readPageNumber, toPageLink, toQueryPath } from '../paging.ts'
import { toRecordCard, toRecordList } from '../records/record-card.ts'
import { redirect, redirectUndoable } from '../response.ts'
import { toCallViews } from './calls.ts'

/** The questions of a project that no record answered, and the page of one. */
export const unanswered = pageOf(openForReading, {
  path: '/console/projects/:project/calls/unanswered',
  show: showQuestions,
  views: { '/:question': showQuestion },
  forms: {
    '/switch': switchKeeping,
    '/dismiss': dismiss,
    '/restore': restore,
    '/:question/link': { act: link, refused: showQuestion },
  },
})

async function dismiss(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, project, at } = req
  const dismissed = await dismissQuestion(service, actor, { projectId: project.id, id: form.get('question') ?? '' })
  const { id, text, asked, at: askedAt } = dismissed
  const fields = { question: id, text, asked: String(asked), at: String(askedAt) }
  return redirectUndoable(req, 'question.dismissed', { action: `${at}/restore`, fields })
}

/** Undoes a dismissal; nobody may make up questions. */
async function restore(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  if (!req.isUndo) throw new Refusal('a question comes back by Undo alone')
  const { service, actor, project } = req
  const [id, text] = [form.get('question') ?? '', form.get('text') ?? '']
  const question = { id, text, asked: Number(form.get('asked')), at: Number(form.get('at')) }
  await restoreQuestion(service, actor, { project, question })
  return 'question.restored'
}

async function switchKeeping(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const keepsQuestions = form.get('keep') === 'yes'
  await switchQuestions(req.service, req.actor, { project: req.project, keepsQuestions })
  // Switched off, all questions are erased, so that only switching on is undone.
  return keepsQuestions ? redirectUndoable(req, 'questions.kept', { fields: { keep: 'no' } }) : 'questions.erased'
}

async function link({ service, actor, project, params, at }: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const recordId = form.get('record') ?? ''
  await linkQuestion(service, actor, { projectId: project.id, id: params.question ?? '', recordId })
  return redirect(at, 'question.linked')
}

const WHAT_IS_KEPT = `Searches that found nothing or only weak matches: at most ${toCount(MAX_QUESTIONS)} questions, the first ${MAX_QUESTION_LENGTH} characters of each, how often and when it was last asked, for ${QUESTION_DAYS} days. Credentials are masked, and no names are kept. Everybody to whom the project is open can read them.`

async function showQuestions(req: MemoryRequest): Promise<PageContent> {
  const { path, project, visitor } = req
  const mayDecide = visitor.member.role === 'owner'
  const body = html`<h1>Calls</h1>
${toCallViews(path, 'unanswered')}
${project.keepsQuestions ? await toList(req) : html`<p class="nothing">Unanswered questions are not kept.${mayDecide ? undefined : ' An owner can switch that on here.'}</p>`}
${mayDecide || project.keepsQuestions ? toKept(req, mayDecide) : undefined}`
  return { title: 'Unanswered', section: `${path}/calls`, body }
}

/** What is kept, for everybody whose searches it is of, and the switch for owners. */
function toKept({ at, project }: MemoryRequest, mayDecide: boolean): Html {
  const change = project.keepsQuestions
    ? toConfirmButton(`${at}/switch`, 'Stop keeping them', 'All of them are erased, for good.', {
        fields: { keep: 'no' },
        about: 'unanswered questions',
      })
    : toButton(`${at}/switch`, 'Keep them', {
        fields: { keep: 'yes' },
        look: 'main',
        about: 'unanswered questions',
      })
  return html`<section class="panel"><h2>What is kept</h2><p>${WHAT_IS_KEPT}</p>${mayDecide ? change : undefined}</section>`
}

async function toList({ service, actor, project, url, at }: MemoryRequest): Promise<Html> {
  const page = readPageNumber(url)
  const offset = (page - 1) * PAGE_SIZE
  const { questions, total } = await listQuestions(service, actor, project.id, { offset, limit: PAGE_SIZE })
  const rows = questions.map((question) => [
    html`<a href="${at}/${question.id}"><bdi>${question.text}</bdi></a>`,
    toCount(question.asked),
    toTime(question.at),
    toButton(`${at}/dismiss`, 'Dismiss', { fields: { question: question.id }, about: question.text }),
  ])
  const more = total > offset + PAGE_SIZE ? toQueryPath(at, { page: String(page + 1) }) : undefined
  return html`${toCountedHeading('Questions', total)}
<p class="quiet">Open a question to link it to the right record, or to write the missing one. A new question is listed within two minutes.</p>
${toTable('Unanswered questions', [long('Question'), numeric('Asked'), 'Last asked', ACTIONS], rows, 'No unanswered questions.')}
${toPageLink(more, 'More')}`
}

/** A question, the records that may answer it, and what can become of it. */
async function showQuestion(req: MemoryRequest): Promise<PageContent> {
  const { service, actor, project, params, path, at, url } = req
  const question = await requireQuestion(service, actor, { projectId: project.id, id: params.question ?? '' })
  const query = url.searchParams.get('q')?.trim() || question.text
  const { found, refused } = await readFiltered(() => findRecords(req, question, query))
  const body = html`<p class="back"><a href="${at}">Unanswered</a></p>
<h1><bdi>${question.text}</bdi></h1>
<p class="quiet">Asked ${countOf(question.asked, 'time')}, last ${toTime(question.at)}. Link it to a record, and searches find the record by it.</p>
<div class="row"><a class="button small" href="${toQueryPath(`${path}/records/new`, { question: question.id })}">Write the missing record</a>
${toButton(`${at}/dismiss`, 'Dismiss', { fields: { question: question.id }, about: question.text })}</div>
<h2>Which record answers it?</h2>
<form method="get" action="${at}/${question.id}" class="line">
${toField({ name: 'q', label: 'Words of the record', type: 'search', value: query })}
<button class="main">Search</button>
</form>
${found && toRecordList(found, 'Nothing found. Try the words of the record.')}`
  return { title: 'Unanswered', section: `${path}/calls`, body, ...(refused && { refused }) }
}

/** Cards of records that everybody of the project sees, with the button that links the question. */
async function findRecords(
  { service, caller, memory, prepareShown, path, at }: MemoryRequest,
  { id, text }: OpenQuestion,
  query: string,
): Promise<Html[]> {
  const { result } = await explainSearch(service, caller, { query, workspace: EVERY_WORKSPACE, scope: 'shared' })
  const records: StoredRecord[] = []
  for (const found of result) {
    const record = await memory.findRecord(visibleTo(caller), found.id)
    if (record !== undefined && record.status !== 'superseded') records.push(record)
  }
  const toShown = await prepareShown(records)
  const toLink = (recordId: string) =>
    toButton(`${at}/${id}/link`, 'Link', { fields: { record: recordId }, look: 'main', about: text })
  return records.map((record) => toRecordCard(path, toShown(record), { actions: [toLink(record.id)] }))
}
