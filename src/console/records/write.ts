import { toIsoTime } from '../../clock.ts'
import { isFinalRefusal, Refusal } from '../../errors.ts'
import { requireSuggestion, settleSuggestion, toSuggestionSource } from '../../history/suggestions/review.ts'
import { requireQuestion, settleQuestion } from '../../memory/questions/questions.ts'
import {
  type Editable,
  type Edited,
  editRecord,
  readEditable,
  readPresent,
} from '../../memory/records/save/edit-record.ts'
import { type SavedByHand, saveByHand } from '../../memory/records/save/remember.ts'
import { type Scope, visibleTo } from '../../memory/visibility.ts'
import { DEFAULT_WORKSPACE, listWorkspaces } from '../../memory/workspaces/workspace.ts'
import { phrasesOf, type StoredRecord } from '../../store/record.ts'
import { type DiffPart, diffWords } from '../../text/word-diff.ts'
import type { Done } from '../done-messages.ts'
import { readChanged } from '../form.ts'
import { SHOWN } from '../markup/form.ts'
import { type Answer, type MemoryRequest, openForWriting, type PageContent, pageOf } from '../page.ts'
import { redirectUndoable, type Undoing } from '../response.ts'
import { toTakingBack } from '../sessions/suggestions.ts'
import { toRecordPath } from './record-card.ts'
import { type InitialRecord, toEditRecord, toNewRecord, toUneditable } from './record-form.ts'

/** The pages on which a person writes or corrects a record. */
export const newRecord = pageOf(openForWriting, {
  path: '/console/projects/:project/records/new',
  show: showNew,
  forms: { '': saveNew },
})

/** The page on which a person corrects a record. */
export const edit = pageOf(openForWriting, {
  path: '/console/projects/:project/records/:record/edit',
  show: showEdit,
  forms: { '': saveEdit },
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
  const [key, source, hash, expires] = [
    field('fact_key'),
    field('source_id'),
    field('source_hash'),
    field('expires_at'),
  ]
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
  const question = field('question')
  if (question !== undefined && form.get('scope') === 'shared')
    await settleQuestion(service, actor, { projectId: project.id, id: question })
  const suggestion = await findSuggestion(req, field('suggestion'))
  if (suggestion !== undefined)
    await settleSuggestion(service, actor, { projectId: project.id, id: suggestion.id, state: 'kept' })
  const undoing = suggestion && toTakingBack(req.path, suggestion, written.id)
  return redirectTo(req, written, written.created ? 'record.written' : 'record.known', undoing)
}

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
  const shown = toShown(record)
  const expires = toDate(record, service.clock.now())
  const body =
    others === undefined
      ? toUneditable(path, shown)
      : toEditRecord({ path, record: shown, others: others.map(toShown), expires, changes })
  return { title: 'Edit', section: `${path}/records`, body }
}

/** The form for a new record, with what was typed for a correction of this one. */
async function showAsNew(req: MemoryRequest, record: StoredRecord): Promise<PageContent> {
  const {
    fact_key: key,
    fact_key_given: isGiven,
    workspace,
    scope,
    source_id: source,
  } = (await req.prepareShown([record]))(record)
  return showNewWith(req, { factKey: isGiven ? key : '', workspace, scope, source: source ?? '' })
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

/** To the page of the saved record. A new one is undone by forgetting it, after which what it superseded is current. */
function redirectTo(
  req: MemoryRequest,
  { id, isContested, created }: SavedByHand,
  done: Done,
  undoing: Undoing = { action: `${toRecordPath(req.path, id)}/forget` },
): Promise<Response> {
  const message = isContested ? 'record.contested' : done
  return redirectUndoable(req, message, created ? undoing : undefined, toRecordPath(req.path, id))
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

/**
 * Reads a text of several lines. Browsers send line ends as CRLF, which would make every line differ from what was
 * typed.
 */
export function readText(form: URLSearchParams | undefined, name: string): string {
  return (form?.get(name) ?? '').replaceAll('\r\n', '\n')
}

const toPhrases = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** The phrases that were typed, one a line. */
const readPhrases = (form: URLSearchParams): string[] => toPhrases(readText(form, 'asked_as'))

/**
 * The typed phrases, without those that somebody removed since the page was made, and with those added since. `present`
 * are those of the record now, one a line.
 */
function readChangedPhrases(form: URLSearchParams, present: string): string[] {
  const now = new Set(toPhrases(present))
  const shown = form.has(`${SHOWN}asked_as`) ? new Set(toPhrases(readText(form, `${SHOWN}asked_as`))) : now
  const typed = new Set(readPhrases(form))
  const removed = shown.difference(now)
  return [...typed.difference(removed).union(now.difference(shown))]
}

/** Reads the scope of a record. Throws a Refusal for an unknown value. */
export function readScope(text: string | null): Scope {
  if (text === 'shared' || text === 'department' || text === 'draft') return text
  throw new Refusal('choose a scope', 'scope')
}
