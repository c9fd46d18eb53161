import { Elysia } from 'elysia'
import { recordEventAfter } from '../../../account/audit/audit.ts'
import { toRecord } from '../../../console/project/record.ts'
import { toRecordPath } from '../../../console/project/record-card.ts'
import { forgetRecords } from '../../../memory/records/forget.ts'
import { restoreRecord } from '../../../memory/records/restore.ts'
import { readInContext } from '../../../memory/records/review.ts'
import { unverifyRecord, verifyRecord } from '../../../memory/records/verify.ts'
import type { Service } from '../../../service.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { inMemory, readBack, toActingOn } from './project-memory.ts'
import { timeLeft } from './trash.ts'

const PATH = '/console/projects/:project/records/:record'

/** The page of one record, and what is done with a record from any page. */
export function record(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/record' })
    .get(PATH, page(service, showRecord))
    .post(`${PATH}/verify`, action(service, verify, showRecord), raw)
    .post(`${PATH}/unverify`, action(service, unverify, showRecord), raw)
    .post(`${PATH}/forget`, action(service, forget, showRecord), raw)
    .post(`${PATH}/restore`, action(service, restore, showRecord), raw)
}

async function showRecord(visit: PageRequest, said: FormState): Promise<Response> {
  const { project, caller, path, toShown } = await inMemory(visit, 'read')
  const { record: found, rivals, supersededBy, superseded } = await readInContext(visit.service, caller, idOf(visit))
  const body = toRecord({
    path,
    record: await toShown(found),
    rivals: await Promise.all(rivals.map(toShown)),
    supersededBy: supersededBy && (await toShown(supersededBy)),
    superseded: await Promise.all(superseded.map(toShown)),
    left: found.forgottenAt === null ? undefined : timeLeft(visit.service, found.forgottenAt),
  })
  return toConsolePage(visit, said, { title: found.factKey, section: path, project, body })
}

/** Supersedes only what the page named that the button stood on. */
async function verify(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { caller, path } = await inMemory(visit, 'write')
  const seen = (form.get('seen') ?? '').split(' ')
  const { superseded } = await verifyRecord(visit.service, toActingOn(visit, caller), idOf(visit), seen)
  return toOrigin(visit, form, path, superseded.length === 0 ? 'record.verified' : 'record.chosen')
}

async function unverify(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { caller, path } = await inMemory(visit, 'write')
  await unverifyRecord(visit.service, toActingOn(visit, caller), idOf(visit))
  return toOrigin(visit, form, path, 'record.unverified')
}

async function forget(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, by } = visit
  const { project, caller, path } = await inMemory(visit, 'write')
  const id = idOf(visit)
  await forgetRecords(service, caller, { id })
  await recordEventAfter(service, by, { act: 'record.forget', accountId: project.accountId, projectId: project.id, target: id })
  return toOrigin(visit, form, path, 'record.forgotten')
}

async function restore(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, by, visitor } = visit
  const { project, caller, path } = await inMemory(visit, 'write')
  const id = idOf(visit)
  const { visible } = toActingOn(visit, caller)
  const restored = await restoreRecord(service, { account: visitor.account, projectId: project.id, visible }, id)
  await recordEventAfter(service, by, { act: 'record.restore', accountId: project.accountId, projectId: project.id, target: id })
  return toOrigin(visit, form, path, restored.record.status === 'superseded' ? 'record.outdated' : 'record.restored')
}

/** Back to the page that the button stood on. */
function toOrigin(visit: PageRequest, form: URLSearchParams, path: string, done: string): Response {
  return redirect(readBack(form, path, toRecordPath(path, idOf(visit))), done)
}

function idOf({ params }: PageRequest): string {
  return params.record ?? ''
}
