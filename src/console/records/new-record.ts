import { isFinalRefusal } from '../../errors.ts'
import { requireSuggestion, settleSuggestion, toSuggestionSource } from '../../history/suggestions/review.ts'
import { type OpenQuestion, requireQuestion, settleQuestion, toPhrase } from '../../memory/questions/questions.ts'
import { saveByHand } from '../../memory/records/save/remember.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { DEFAULT_WORKSPACE, listWorkspaces } from '../../memory/workspaces/workspace.ts'
import type { StoredRecord } from '../../store/record.ts'
import { FORM_ID, toField, toHiddenFields, toSelect, toTextArea } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { type Answer, type MemoryRequest, openForWriting, type PageContent, pageOf } from '../page.ts'
import { toTakingBack } from '../sessions/suggestions.ts'
import {
  CONFIRM,
  readPhrases,
  readScope,
  readText,
  redirectTo,
  toAskedAs,
  toExpiry,
  toGuardHint,
  toScopeOptions,
} from './record-form.ts'

/** The page on which a person writes a record. */
export const newRecord = pageOf(openForWriting, {
  path: '/console/projects/:project/records/new',
  show: showNew,
  forms: { '': saveNew },
})

async function showNew(req: MemoryRequest): Promise<PageContent> {
  const { service, actor, project, url } = req
  const id = url.searchParams.get('question') ?? req.refused?.fields?.get('question')
  // What was typed is shown again, even if somebody settled the question meanwhile.
  const question = id
    ? await requireQuestion(service, actor, { projectId: project.id, id }).catch(unlessSettled)
    : undefined
  const workspace = url.searchParams.get('workspace') ?? DEFAULT_WORKSPACE
  const suggestion = url.searchParams.get('suggestion') ?? req.refused?.fields?.get('suggestion')
  return showNewWith(req, { workspace, question, ...(suggestion && (await readSuggested(req, suggestion))) })
}

function unlessSettled(error: unknown): undefined {
  if (!isFinalRefusal(error)) throw error
}

/** What was typed is saved even if its suggestion was settled meanwhile. */
async function findSuggestion({ service, actor, project }: MemoryRequest, id: string | undefined) {
  return id === undefined
    ? undefined
    : requireSuggestion(service, actor, { projectId: project.id, id }).catch(unlessSettled)
}

/** What the form holds that makes a record of a suggestion. What was typed is shown again, even if it is settled. */
async function readSuggested({ service, actor, project, refused }: MemoryRequest, id: string) {
  if (refused !== undefined) return { suggestion: id }
  const suggestion = await requireSuggestion(service, actor, { projectId: project.id, id })
  return { suggestion: id, content: suggestion.text, source: toSuggestionSource(suggestion) }
}

/** What the fields of a record form hold before anything was typed; empty if left out. */
type InitialRecord = {
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

async function showNewWith({ path, caller, memory }: MemoryRequest, initial: InitialRecord): Promise<PageContent> {
  const { workspaces } = await listWorkspaces(memory, visibleTo(caller))
  const hasDepartment = caller.departmentId !== undefined
  const body = toNewRecord({ path, initial, workspaces: workspaces.map(({ name }) => name), hasDepartment })
  return { title: 'New record', section: `${path}/records`, body }
}

async function saveNew(req: MemoryRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, project } = req
  const field = (name: string) => form.get(name)?.trim() || undefined
  const askedAs = readPhrases(form)
  const [key, source, hash, expires] = ['fact_key', 'source_id', 'source_hash', 'expires_at'].map(field)
  const written = await saveByHand(service, actor, {
    projectId: project.id,
    content: readText(form, 'content'),
    workspace: field('workspace') ?? DEFAULT_WORKSPACE,
    scope: readScope(form.get('scope')),
    ...(askedAs.length > 0 && { asked_as: askedAs }),
    ...(key && { fact_key: key }),
    ...(source && { source_id: source }),
    ...(hash && { source_hash: hash }),
    ...(expires && { expires_at: expires }),
    confirm: form.get('confirm') === 'yes',
  })
  const question = field('question')
  if (question !== undefined && form.get('scope') === 'shared')
    await settleQuestion(service, actor, { projectId: project.id, id: question })
  const suggestion = await findSuggestion(req, field('suggestion'))
  if (suggestion !== undefined)
    await settleSuggestion(service, actor, { projectId: project.id, id: suggestion.id, state: 'kept' })
  const undoing = suggestion && toTakingBack(req.path, suggestion, written.id)
  return redirectTo(req, written, written.created ? 'record.written' : 'record.known', undoing)
}

/** The form for a new record. */
function toNewRecord({ path, initial, workspaces, hasDepartment }: NewRecordPage): Html {
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

/** The form for a new record, with what was typed for a correction of this one. */
export async function showAsNew(req: MemoryRequest, record: StoredRecord): Promise<PageContent> {
  const shown = (await req.prepareShown([record]))(record)
  const { fact_key: key, fact_key_given: isGiven, workspace, scope, source_id: source } = shown
  return showNewWith(req, { factKey: isGiven ? key : '', workspace, scope, source: source ?? '' })
}
