import { Elysia } from 'elysia'
import { toRecordPath } from '../../../../console/project/records/record-card.ts'
import { toRememberForm } from '../../../../console/project/sessions/remember.ts'
import { Refusal } from '../../../../errors.ts'
import type { Session } from '../../../../history/read/session.ts'
import { readTranscriptLines } from '../../../../history/read/transcript.ts'
import { MAX_CONTENT_BYTES } from '../../../../memory/records/save/draft.ts'
import { rememberRecord } from '../../../../memory/records/save/remember.ts'
import { DEFAULT_WORKSPACE } from '../../../../memory/workspaces/workspace.ts'
import type { Service } from '../../../../service.ts'
import { typedValue } from '../../form-fields.ts'
import { action, page } from '../../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../../page-request.ts'
import { readScope } from '../write.ts'
import { readLine, showSession, toSessionRequest } from './session.ts'

const PATH = '/console/projects/:project/sessions/:session/remember'

/** The page on which selected lines of a session become a record. */
export function rememberLines(service: Service) {
  return new Elysia({ name: 'console/remember-lines' })
    .get(PATH, page(service, showChosen))
    .post(PATH, action(service, save, showForm), { parse: 'none' })
}

/** The form or, where no line is chosen or too many are, the session with the reason. */
async function showChosen(req: PageRequest, state: FormState): Promise<Response> {
  try {
    return await showForm(req, state)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showSession(req, { error: error.message, fields: req.url.searchParams })
  }
}

async function showForm(req: PageRequest, state: FormState): Promise<Response> {
  const { project, caller, list, at, place } = await toSessionRequest(req)
  const numbers = readNumbers(state.fields ?? req.url.searchParams)
  const { session, lines } = await readTranscriptLines(req.service, req.actor, { ...place, numbers })
  const body = toRememberForm({
    at,
    session,
    numbers,
    sourceId: toSourceId(session, numbers),
    typed: {
      content: typedValue(state, 'content', cutContent(lines.map(({ text }) => text).join('\n\n'))),
      factKey: typedValue(state, 'fact_key'),
      workspace: typedValue(state, 'workspace', DEFAULT_WORKSPACE),
      scope: typedValue(state, 'scope', 'shared'),
    },
    hasDepartment: caller.departmentId !== undefined,
  })
  return toConsolePage(req, state, { title: 'Remember', section: list, project, body })
}

async function save(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { path, place } = await toSessionRequest(req)
  const numbers = readNumbers(form)
  // The visitor must have access to the lines that the record names as its source.
  const { session } = await readTranscriptLines(req.service, req.actor, { ...place, numbers })
  const factKey = form.get('fact_key')?.trim() ?? ''
  const saved = await rememberRecord(req.service, req.actor, {
    projectId: place.projectId,
    content: form.get('content') ?? '',
    workspace: form.get('workspace')?.trim() || DEFAULT_WORKSPACE,
    scope: readScope(form.get('scope')),
    source_id: toSourceId(session, numbers),
    ...(factKey !== '' && { fact_key: factKey }),
  })
  return redirect(toRecordPath(path, saved.id), 'history.remembered')
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
function toSourceId({ assistant, session_id }: Session, numbers: number[]): string {
  return `session:${assistant}/${session_id}#${numbers.slice(0, MAX_NAMED_LINES).join(',')}`
}

/** Truncates a text to the maximum length of a record. */
function cutContent(text: string): string {
  if (Buffer.byteLength(text) <= MAX_CONTENT_BYTES) return text
  return Buffer.from(text)
    .subarray(0, MAX_CONTENT_BYTES)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
}
