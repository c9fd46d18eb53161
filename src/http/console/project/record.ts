import { Elysia } from 'elysia'
import { toRecord } from '../../../console/project/record.ts'
import { toAnchor, toRecordPath } from '../../../console/project/record-card.ts'
import { forgetRecords } from '../../../memory/records/forget.ts'
import { leaveForgotten } from '../../../memory/records/leave-forgotten.ts'
import { restoreRecord } from '../../../memory/records/restore.ts'
import { readInContext } from '../../../memory/records/review.ts'
import { unverifyRecord, verifyRecord } from '../../../memory/records/verify.ts'
import type { Service } from '../../../service.ts'
import { readReturnPath } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { openMemory } from './project-memory.ts'
import { timeLeft } from './trash.ts'

const PATH = '/console/projects/:project/records/:record'

/** The page of one record, and the actions on a record from any page. */
export function record(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/record' })
    .get(PATH, page(service, showRecord))
    .post(`${PATH}/verify`, action(service, verify, showRecord), raw)
    .post(`${PATH}/unverify`, action(service, unverify, showRecord), raw)
    .post(`${PATH}/forget`, action(service, forget, showRecord), raw)
    .post(`${PATH}/restore`, action(service, restore, showRecord), raw)
    .post(`${PATH}/leave`, action(service, leave, showRecord), raw)
}

async function showRecord(req: PageRequest, state: FormState): Promise<Response> {
  const { project, caller, path, prepareShown } = await openMemory(req, 'read')
  const { record: found, rivals, supersededBy, superseded } = await readInContext(req.service, caller, idOf(req.params))
  const toShown = await prepareShown([found, ...rivals, ...superseded, ...(supersededBy === undefined ? [] : [supersededBy])])
  const body = toRecord({
    path,
    record: toShown(found),
    rivals: rivals.map(toShown),
    supersededBy: supersededBy && toShown(supersededBy),
    superseded: superseded.map(toShown),
    leftMs: found.forgottenAt === null ? undefined : timeLeft(req.service, found.forgottenAt),
  })
  return toConsolePage(req, state, { title: found.factKey, section: `${path}/records`, project, body })
}

/** Supersedes only the records that were shown when the button was clicked. */
async function verify(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const seen = (form.get('seen') ?? '').split(' ')
  const { superseded } = await verifyRecord(req.service, req.actor, { ...placeOf(req), seen })
  return redirectBack(req, form, superseded.length === 0 ? 'record.verified' : 'record.chosen')
}

async function unverify(req: PageRequest, form: URLSearchParams): Promise<Response> {
  await unverifyRecord(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, 'record.unverified')
}

async function forget(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { current_again: again } = await forgetRecords(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, again.length === 0 ? 'record.forgotten' : 'record.replaced')
}

async function leave(req: PageRequest, form: URLSearchParams): Promise<Response> {
  await leaveForgotten(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, 'record.left')
}

async function restore(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { record } = await restoreRecord(req.service, req.actor, placeOf(req))
  return redirectBack(req, form, record.status === 'superseded' ? 'record.outdated' : 'record.restored')
}

/** Redirects to the page that the button was on. */
function redirectBack(req: PageRequest, form: URLSearchParams, done: string): Response {
  const { projectId, id } = placeOf(req)
  const path = `/console/projects/${projectId}`
  const next = form.get('next') ?? ''
  const anchor = /^[\w-]{1,64}$/.test(next) ? toAnchor(next) : undefined
  return redirect(readReturnPath(form, path, toRecordPath(path, id)), done, { query: { id }, anchor })
}

const placeOf = ({ params }: PageRequest) => ({ projectId: params.project ?? '', id: idOf(params) })
const idOf = (params: PageRequest['params']) => params.record ?? ''
