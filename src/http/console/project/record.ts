import { Elysia } from 'elysia'
import { recordEventAlone } from '../../../account/audit/audit.ts'
import { toRecord } from '../../../console/project/record.ts'
import { toRecordPath } from '../../../console/project/record-card.ts'
import { forgetRecords } from '../../../memory/records/forget.ts'
import { restoreRecord } from '../../../memory/records/restore.ts'
import { readInContext } from '../../../memory/records/review.ts'
import { unverifyRecord, verifyRecord } from '../../../memory/records/verify.ts'
import type { Service } from '../../../service.ts'
import { readReturnPath } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { openMemory, toActingOn } from './project-memory.ts'
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
}

async function showRecord(req: PageRequest, state: FormState): Promise<Response> {
  const { project, caller, path, toShown } = await openMemory(req, 'read')
  const { record: found, rivals, supersededBy, superseded } = await readInContext(req.service, caller, idOf(req))
  const body = toRecord({
    path,
    record: await toShown(found),
    rivals: await Promise.all(rivals.map(toShown)),
    supersededBy: supersededBy && (await toShown(supersededBy)),
    superseded: await Promise.all(superseded.map(toShown)),
    leftMs: found.forgottenAt === null ? undefined : timeLeft(req.service, found.forgottenAt),
  })
  return toConsolePage(req, state, { title: found.factKey, section: path, project, body })
}

/** Supersedes only the records that were shown when the button was clicked. */
async function verify(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { caller, path } = await openMemory(req, 'write')
  const seen = (form.get('seen') ?? '').split(' ')
  const { superseded } = await verifyRecord(req.service, toActingOn(req, caller), idOf(req), seen)
  return redirectBack(req, form, path, superseded.length === 0 ? 'record.verified' : 'record.chosen')
}

async function unverify(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { caller, path } = await openMemory(req, 'write')
  await unverifyRecord(req.service, toActingOn(req, caller), idOf(req))
  return redirectBack(req, form, path, 'record.unverified')
}

async function forget(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor } = req
  const { project, caller, path } = await openMemory(req, 'write')
  const id = idOf(req)
  await forgetRecords(service, caller, { id })
  await recordEventAlone(service, actor, { act: 'record.forget', accountId: project.accountId, projectId: project.id, target: id })
  return redirectBack(req, form, path, 'record.forgotten')
}

async function restore(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor, visitor } = req
  const { project, caller, path } = await openMemory(req, 'write')
  const id = idOf(req)
  const { visible } = toActingOn(req, caller)
  const restored = await restoreRecord(service, { account: visitor.account, projectId: project.id, visible }, id)
  await recordEventAlone(service, actor, { act: 'record.restore', accountId: project.accountId, projectId: project.id, target: id })
  return redirectBack(req, form, path, restored.record.status === 'superseded' ? 'record.outdated' : 'record.restored')
}

/** Redirects to the page that the button was on. */
function redirectBack(req: PageRequest, form: URLSearchParams, path: string, done: string): Response {
  return redirect(readReturnPath(form, path, toRecordPath(path, idOf(req))), done)
}

function idOf({ params }: PageRequest): string {
  return params.record ?? ''
}
