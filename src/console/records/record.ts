import type { Actor } from '../../account/auth/actor.ts'
import { findSavedIn } from '../../history/find/saved-in.ts'
import { readInContext } from '../../memory/records/lists/in-context.ts'
import { readTimeline, type Timeline } from '../../memory/records/lists/timeline.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import { acceptForgetting, restoreRecord, returnToReview } from '../../memory/records/trash/restore.ts'
import { unverifyRecord, verifyRecord } from '../../memory/records/verify.ts'
import { visibleTo } from '../../memory/visibility.ts'
import type { Service } from '../../service.ts'
import type { StoredRecord } from '../../store/record.ts'
import type { PastHash } from '../../store/source-hashes.ts'
import type { Done } from '../done-messages.ts'
import { readReturnPath } from '../form.ts'
import {
  type Action,
  type Answer,
  type MemoryRequest,
  opened,
  openForReading,
  type Page,
  type PageContent,
  type PageRequest,
} from '../page.ts'
import { offerUndo, redirect } from '../response.ts'
import type { Relation } from './neighbourhood.ts'
import { toAnchor, toHeadline } from './record-card.ts'
import { toRecord } from './record-sections.ts'
import { toTimeline } from './timeline.ts'
import { timeLeft } from './trash-table.ts'

/** The page of one record, and the actions on a record from any page. */
export const record: Page = {
  path: '/console/projects/:project/records/:record',
  show: opened(openForReading, showRecord),
  forms: {
    '/verify': verify,
    '/unverify': toAction(unverifyRecord, 'record.unverified', 'verify'),
    '/forget': forget,
    '/restore': restore,
    '/accept-forgetting': toAction(acceptForgetting, 'record.forgetting-accepted', 'return-to-review'),
    '/return-to-review': toAction(returnToReview, 'record.returned', 'accept-forgetting'),
  },
}

async function showRecord(req: MemoryRequest): Promise<PageContent> {
  const { service, actor, caller, project, path, prepareShown } = req
  const { record: found, rivals, supersededBy } = await readInContext(service, caller, idOf(req.params))
  const timeline = await readTimeline(service, caller, found)
  const toShown = await prepareShown([found, ...rivals, ...(supersededBy === undefined ? [] : [supersededBy])])
  const record = toShown(found)
  const body = toRecord({
    path,
    record,
    rivals: rivals.map(toShown),
    supersededBy: supersededBy && toShown(supersededBy),
    timeline: toTimeline(path, found, timeline),
    hashes: await listHashes(req, found),
    relations: await readRelations(req, { record: found, rivals, timeline }),
    savedIn: await findSavedIn(service, actor, { ...found, projectId: project.id }),
    leftMs: found.forgottenAt === null ? undefined : timeLeft(service, found.forgottenAt),
  })
  return {
    title: record.fact_key_given ? record.fact_key : toHeadline(record.content),
    section: `${path}/records`,
    body,
  }
}

/** Maximum number of records shown per relation. */
const MAX_RELATED = 6

type Known = { record: StoredRecord; rivals: StoredRecord[]; timeline: Timeline }

/**
 * The records around one, each once: those that contradict it, the other versions of its fact, and the others of its
 * source.
 */
async function readRelations(place: MemoryRequest, { record, rivals, timeline }: Known): Promise<Relation[]> {
  const saved = timeline.events.filter(({ kind }) => kind === 'saved').map(({ version }) => version)
  const versions = without([record, ...rivals], saved)
  const named = [record, ...rivals, ...versions]
  const ofSource = without(named, await listOfSource(place, record, MAX_RELATED + 1 + named.length))
  const toShown = await place.prepareShown([...rivals, ...versions, ...ofSource])
  const toRelation = (label: string, records: StoredRecord[]): Relation => {
    return { label, records: records.slice(0, MAX_RELATED).map(toShown), areMore: records.length > MAX_RELATED }
  }
  return [
    toRelation('Contradicts it', rivals),
    toRelation('Same fact key', versions),
    toRelation('Same source', ofSource),
  ]
}

function without(known: StoredRecord[], records: StoredRecord[]): StoredRecord[] {
  const ids = new Set(known.map(({ id }) => id))
  return records.filter(({ id }) => !ids.has(id))
}

/** The states of its source, as far as the visitor may see the records that were saved with them. */
async function listHashes(
  { caller, memory }: MemoryRequest,
  { sourceId, workspaceId }: StoredRecord,
): Promise<PastHash[]> {
  return sourceId === null ? [] : memory.listSourceHashes(visibleTo(caller), { workspaceId, sourceId })
}

/** The latest saved records of its source. */
async function listOfSource(
  { caller, memory }: MemoryRequest,
  { sourceId, workspaceId }: StoredRecord,
  limit: number,
): Promise<StoredRecord[]> {
  if (sourceId === null) return []
  return memory.listLatest({ visible: visibleTo(caller), workspaceId, sourceId }, { limit })
}

/** Supersedes only the records that were shown when the button was clicked. */
async function verify(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const seen = (form.get('seen') ?? '').split(' ')
  const { superseded } = await verifyRecord(req.service, req.actor, { ...placeOf(req), seen })
  return redirectBack(req, form, superseded.length === 0 ? 'record.verified' : 'record.chosen', 'unverify')
}

async function forget(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { current_again: again } = await forgetRecords(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, again.length === 0 ? 'record.forgotten' : 'record.replaced', 'restore')
}

async function restore(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { record } = await restoreRecord(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, record.status === 'superseded' ? 'record.outdated' : 'record.restored', 'forget')
}

type Change = (service: Service, actor: Actor, place: { projectId: string; id: string }) => Promise<unknown>

/** The action of a form that makes one change and says that it is done. */
function toAction(change: Change, done: Done, undoing: string): Action {
  return async (req, form) => {
    await change(req.service, req.actor, placeOf(req))
    return redirectBack(req, form, done, undoing)
  }
}

/** Redirects to the page that the button was on. `undoing` is the action on the record that undoes what was done. */
async function redirectBack(req: PageRequest, form: URLSearchParams, done: Done, undoing: string): Promise<Response> {
  const { params, at } = req
  const next = form.get('next') ?? ''
  const anchor = /^[\w-]{1,64}$/.test(next) ? toAnchor(next) : undefined
  return redirect(readReturnPath(form, `/console/projects/${params.project}`, at), done, {
    query: await offerUndo(req, `${at}/${undoing}`),
    anchor,
  })
}

const placeOf = ({ params }: PageRequest) => ({ projectId: params.project ?? '', id: idOf(params) })
const idOf = (params: PageRequest['params']) => params.record ?? ''
