import { Refusal } from '../../errors.ts'
import type { Session } from '../../history/read/session.ts'
import { readTranscriptLines } from '../../history/read/transcript.ts'
import { MAX_CONTENT_BYTES } from '../../memory/records/save/draft.ts'
import { rememberRecord } from '../../memory/records/save/remember.ts'
import { DEFAULT_WORKSPACE } from '../../memory/workspaces/workspace.ts'
import { FORM_ID, toField, toHiddenFields, toSelect, toTextArea } from '../markup/form.ts'
import { html } from '../markup/html.ts'
import { type Answer, type PageContent, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { toRecordPath } from '../records/record-card.ts'
import { readScope, readText, toScopeOptions } from '../records/record-form.ts'
import { redirectUndoable } from '../response.ts'
import { openSession, readLine, type SessionRequest, showSession, toSourceBeginning } from './session.ts'

/** The page on which selected lines of a session become a record. */
export const rememberLines = pageOf(openSession, {
  path: '/console/projects/:project/sessions/:session/remember',
  show: showChosen,
  forms: { '': { act: save, refused: showForm } },
})

/** The form or, where no line is chosen or too many are, the session with the reason. */
async function showChosen(req: SessionRequest): Promise<PageContent> {
  try {
    return await showForm(req)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...(await showSession(req)), refused: { error: error.message, fields: req.url.searchParams } }
  }
}

async function save(req: SessionRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, path, place } = req
  const numbers = readNumbers(form)
  // The visitor must have access to the lines that the record names as its source.
  const { session } = await readTranscriptLines(service, actor, { ...place, numbers })
  const factKey = form.get('fact_key')?.trim() ?? ''
  const saved = await rememberRecord(service, actor, {
    projectId: place.projectId,
    content: readText(form, 'content'),
    workspace: form.get('workspace')?.trim() || DEFAULT_WORKSPACE,
    scope: readScope(form.get('scope')),
    source_id: toSourceId(session, numbers),
    ...(factKey !== '' && { fact_key: factKey }),
  })
  const at = toRecordPath(path, saved.id)
  return redirectUndoable(req, 'history.remembered', saved.created ? { action: `${at}/forget` } : undefined, at)
}

const MAX_NUMBERS = 50

/** The numbers of the selected lines, in order. Throws a Refusal if there are none, or too many. */
function readNumbers(fields: URLSearchParams): number[] {
  const numbers = fields
    .getAll('line')
    .map(readLine)
    .filter((number) => number !== undefined)
  const distinct = [...new Set(numbers)].sort((a, b) => a - b)
  if (distinct.length === 0) throw new Refusal('choose at least one line')
  if (distinct.length > MAX_NUMBERS) throw new Refusal(`choose at most ${MAX_NUMBERS} lines`)
  return distinct
}

/** Maximum number of lines that fit into a source id, whatever the session is called. */
const MAX_NAMED_LINES = 20

/** The source id of the record: the session and its lines. */
function toSourceId(session: Session, numbers: number[]): string {
  return toSourceBeginning(session) + numbers.slice(0, MAX_NAMED_LINES).join(',')
}

/** Truncates a text to the maximum length of a record. */
function cutContent(text: string): string {
  if (Buffer.byteLength(text) <= MAX_CONTENT_BYTES) return text
  return Buffer.from(text)
    .subarray(0, MAX_CONTENT_BYTES)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
}

/** The form that makes a record of selected lines. */
async function showForm(req: SessionRequest): Promise<PageContent> {
  const { service, actor, caller, list, page, place } = req
  const numbers = readNumbers(req.refused?.fields ?? req.url.searchParams)
  const { session, lines } = await readTranscriptLines(service, actor, { ...place, numbers })
  const [first = 1] = numbers
  const back = `${toQueryPath(page, { from: String(first) })}#l${first}`
  const content = cutContent(lines.map(({ text }) => text).join('\n\n'))
  const body = html`<p class="back"><a href="${back}"><bdi>${session.title ?? session.session_id}</bdi></a></p>
<h1>New record</h1>
<p class="quiet">Keep what will still be true later, in a few sentences that make sense on their own.</p>
<form method="post" action="${page}/remember" class="panel">${FORM_ID}
${toHiddenFields(numbers.map((number): [string, string] => ['line', String(number)]))}
${toTextArea({ name: 'content', label: 'Text', value: content, required: true }, { rows: 10 })}
<div class="grid">
${toField({ name: 'fact_key', label: 'Fact key', maxlength: 128, hint: 'A stable name for a fact that may change. The record supersedes the current one of that key.' })}
${toField({ name: 'workspace', label: 'Workspace', value: DEFAULT_WORKSPACE, maxlength: 64 })}
${toSelect({ name: 'scope', label: 'Scope', value: 'shared' }, toScopeOptions(caller.departmentId !== undefined))}
</div>
<p class="quiet">Source: <code>${toSourceId(session, numbers)}</code></p>
<div class="actions"><button class="main">Save</button><a class="button" href="${back}">Cancel</a></div>
</form>`
  return { title: 'New record', section: list, body }
}
