import { toIsoTime } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { type Editable, type Edited, editRecord, readEditable, readPresent } from '../../memory/records/save/edit-record.ts'
import { type SavedByHand, saveByHand } from '../../memory/records/save/save-by-hand.ts'
import { type Scope, visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/list-workspaces.ts'
import { DEFAULT_WORKSPACE } from '../../memory/workspaces/workspace.ts'
import type { StoredRecord } from '../../store/record.ts'
import { diffWords } from '../../text/word-diff.ts'
import type { Done } from '../done-messages.ts'
import { typedValue } from '../form.ts'
import { pageOf } from '../page.ts'
import { type FormState, type MemoryRequest, openForWriting, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { toRecordPath } from './record-card.ts'
import { type TypedRecord, toEditRecord, toNewRecord, toUneditable } from './record-form.ts'

/** The pages on which a person writes or corrects a record. */
export const newRecord = pageOf(openForWriting, { path: '/console/projects/:project/records/new', show: showNew, forms: { '': saveNew } })

/** The page on which a person corrects a record. */
export const edit = pageOf(openForWriting, {
  path: '/console/projects/:project/records/:record/edit',
  show: showEdit,
  forms: { '': saveEdit },
})

function showNew(req: MemoryRequest, state: FormState): Promise<Response> {
  return showNewWith(req, state, { workspace: req.url.searchParams.get('workspace') ?? DEFAULT_WORKSPACE })
}

async function showNewWith(req: MemoryRequest, state: FormState, initial: Partial<TypedRecord>): Promise<Response> {
  const { project, path, caller, memory } = req
  const { workspaces } = await listWorkspaces(memory, visibleTo(caller))
  const typed = toTyped(state, initial)
  const hasDepartment = caller.departmentId !== undefined
  const body = toNewRecord({ path, typed, workspaces: workspaces.map(({ name }) => name), hasDepartment })
  return toConsolePage(req, state, { title: 'New record', section: `${path}/records`, project, body })
}

async function saveNew({ service, actor, project, path }: MemoryRequest, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name)?.trim() || undefined
  const askedAs = readPhrases(form)
  const [key, source, hash, expires] = [field('fact_key'), field('source_id'), field('source_hash'), field('expires_at')]
  const written = await saveByHand(service, actor, {
    projectId: project.id,
    content: readText(form, 'content'),
    workspace: field('workspace') ?? DEFAULT_WORKSPACE,
    scope: readScope(form.get('scope')),
    ...(askedAs.length > 0 && { asked_as: askedAs }),
    ...(key !== undefined && { fact_key: key }),
    ...(source !== undefined && { source_id: source }),
    ...(hash !== undefined && { source_hash: hash }),
    ...(expires !== undefined && { expires_at: expires }),
    confirm: form.get('confirm') === 'yes',
  })
  return redirectTo(path, written, written.created ? 'record.written' : 'record.known')
}

async function showEdit(req: MemoryRequest, state: FormState): Promise<Response> {
  const id = req.params.record ?? ''
  if (state.fields === undefined) return showCorrection(req, state, await readEditable(req.service, req.caller, id))
  const { record, present } = await readPresent(req.service, req.caller, id)
  if (present === undefined) return showAsNew(req, { ...state, error: FORGOTTEN_MEANWHILE }, record)
  const editable = await readEditable(req.service, req.caller, present.id)
  if (editable.others === undefined) return showAsNew(req, state, { ...present, factKeyGiven: false })
  return showCorrection(req, present.id === id ? state : { ...state, error: CORRECTED_MEANWHILE }, editable, present.id !== id)
}

const CORRECTED_MEANWHILE = 'somebody saved something else while you wrote, and nothing of yours is saved yet; look at both and save again'
const FORGOTTEN_MEANWHILE =
  'somebody forgot the record while you wrote, and nothing of yours is saved yet; saved from here, it becomes a new record'

/** The form for a correction; after a lost race (`isOvertaken`) with what was typed beside what is there now. */
async function showCorrection(req: MemoryRequest, state: FormState, { record, others }: Editable, isOvertaken = false): Promise<Response> {
  const { project, path, prepareShown } = req
  const toShown = await prepareShown([record, ...(others ?? [])])
  const typed = toTyped(state, { content: record.content, askedAs: record.askedAs ?? '', expires: toDate(record, req.service.clock.now()) })
  const changes = isOvertaken ? { diff: diffWords(record.content, readText(state.fields, 'content')) } : undefined
  const shown = toShown(record)
  const body =
    others === undefined ? toUneditable(path, shown) : toEditRecord({ path, record: shown, others: others.map(toShown), typed, changes })
  return toConsolePage(req, state, { title: 'Edit', section: `${path}/records`, project, body })
}

/** The form for a new record, with what was typed for a correction of this one. */
async function showAsNew(req: MemoryRequest, state: FormState, record: StoredRecord): Promise<Response> {
  const { fact_key: key, fact_key_given: isGiven, workspace, scope, source_id: source } = (await req.prepareShown([record]))(record)
  return showNewWith(req, state, { factKey: isGiven ? key : '', workspace, scope, source: source ?? '' })
}

async function saveEdit({ service, actor, params, project, path }: MemoryRequest, form: URLSearchParams): Promise<Response> {
  const edited = await editRecord(service, actor, {
    projectId: project.id,
    id: params.record ?? '',
    content: readText(form, 'content'),
    askedAs: readPhrases(form),
    expiresAt: form.get('expires_at')?.trim() || undefined,
    confirm: form.get('confirm') === 'yes',
    seen: (form.get('seen') ?? '').split(' '),
  })
  return redirectTo(path, edited, toEditedMessage(edited))
}

function toEditedMessage({ created, isProposal, isRephrased }: Edited): Done {
  if (isRephrased) return 'record.rephrased'
  if (!created) return 'record.known'
  return isProposal ? 'record.proposed' : 'record.edited'
}

function redirectTo(path: string, { id, isContested }: SavedByHand, done: Done): Response {
  return redirect(toRecordPath(path, id), isContested ? 'record.contested' : done)
}

/** What was typed; `initial` is in the fields that the form did not have. */
function toTyped(state: FormState, initial: Partial<TypedRecord>): TypedRecord {
  return {
    content: typedValue(state, 'content', initial.content),
    askedAs: typedValue(state, 'asked_as', initial.askedAs),
    factKey: typedValue(state, 'fact_key', initial.factKey),
    workspace: typedValue(state, 'workspace', initial.workspace),
    scope: typedValue(state, 'scope', initial.scope ?? 'shared'),
    source: typedValue(state, 'source_id', initial.source),
    sourceHash: typedValue(state, 'source_hash'),
    expires: typedValue(state, 'expires_at', initial.expires),
    isConfirmed: state.fields === undefined || state.fields.get('confirm') === 'yes',
  }
}

/** The expiry date of a record, if it is in the future. */
function toDate({ expiresAt }: StoredRecord, now: number): string {
  return expiresAt === null || expiresAt <= now ? '' : toIsoTime(expiresAt).slice(0, 10)
}

/** Reads a text of several lines. Browsers send line ends as CRLF, which would make every line differ from what was typed. */
function readText(form: URLSearchParams | undefined, name: string): string {
  return (form?.get(name) ?? '').replaceAll('\r\n', '\n')
}

/** The phrases that were typed, one a line. */
const readPhrases = (form: URLSearchParams): string[] =>
  readText(form, 'asked_as')
    .split('\n')
    .filter((line) => line.trim() !== '')

/** Reads the scope of a record. Throws a Refusal for an unknown value. */
export function readScope(text: string | null): Scope {
  if (text === 'shared' || text === 'department' || text === 'draft') return text
  throw new Refusal('choose who finds it', 'scope')
}
