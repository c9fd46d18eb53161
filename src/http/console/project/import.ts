import { Elysia } from 'elysia'
import { toImport } from '../../../console/project/import.ts'
import { Refusal, TooMany } from '../../../errors.ts'
import { beginImport, discardImport, findImport, MAX_FILE_BYTES, type NewImport, receivePart } from '../../../memory/imports/receive.ts'
import { checkImport, startImport, stopImport } from '../../../memory/imports/run-import.ts'
import type { Service } from '../../../service.ts'
import { readBytes } from '../../body.ts'
import { requireFieldCount } from '../../form.ts'
import { typedValue } from '../form-fields.ts'
import { type Action, action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'
import { holdingBody, type PostedFile, type ReadPosted } from '../posted.ts'

const PATH = '/console/projects/:project/import'

/** Maximum size of a form with a file, as sent by a browser without scripts; the service accepts no larger bodies. */
const MAX_UPLOAD_BYTES = 2_000_000
/** Maximum size of the other fields of the form. */
const FIELDS_BYTES = 4_096
const UPLOAD_TIMEOUT_MS = 120_000
/** Maximum size of a part of a file, as sent by a browser with scripts. Proxies accept a megabyte by default. */
const MAX_PART_BYTES = 524_288

/** The page of imports into a project: a file is uploaded, checked, and imported. */
export function imports(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/imports' })
    .get(PATH, page(service, showImport))
    .post(PATH, action(service, upload, showImport, { read: readUpload }), raw)
    .post(`${PATH}/begin`, action(service, begin, showImport), raw)
    .post(`${PATH}/part`, action(service, takePart, showImport, { limit: 'part by', read: readPart }), raw)
    .post(`${PATH}/check`, action(service, toStep(checkImport), showImport), raw)
    .post(`${PATH}/start`, action(service, toStep(startImport), showImport), raw)
    .post(`${PATH}/stop`, action(service, toStep(stopImport), showImport), raw)
    .post(`${PATH}/discard`, action(service, toStep(discardImport), showImport), raw)
}

async function showImport(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor } = req
  const { project, path } = await toProjectRequest(req)
  const at = `${path}/import`
  const body = toImport({
    at,
    path,
    run: await findImport(service, actor, project.id),
    workspace: typedValue(state, 'workspace'),
    maxBytes: MAX_FILE_BYTES,
    maxBytesAtOnce: MAX_UPLOAD_BYTES - FIELDS_BYTES,
  })
  return toConsolePage(req, state, { title: 'Import and export', section: `${path}/settings`, project, body })
}

/** Receives a whole file, and starts the check. */
const upload: Action = async (req, form, { name, bytes }) => {
  const { service, actor } = req
  const { project, path } = await toProjectRequest(req)
  const { id } = await beginImport(service, actor, toNewImport(project.id, form, name, bytes.length))
  await receivePart(service, actor, { projectId: project.id, id, offset: 0, bytes })
  await checkImport(service, actor, { projectId: project.id, id })
  return redirect(`${path}/import`)
}

/** Starts an upload in parts by `takePart`; responds with its id. */
const begin: Action = async (req, form) => {
  const { project } = await toProjectRequest(req)
  const input = toNewImport(project.id, form, form.get('file') ?? '', Number(form.get('size')))
  const { id } = await beginImport(req.service, req.actor, input)
  return Response.json({ id, part_bytes: MAX_PART_BYTES })
}

const takePart: Action = async ({ service, actor, params }, form, { bytes }) => {
  const offset = Number(form.get('offset'))
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Refusal('this is not a part of a file')
  await receivePart(service, actor, { projectId: params.project ?? '', id: form.get('id') ?? '', offset, bytes })
  return new Response(null, { status: 204 })
}

type Step = typeof checkImport

/** A form that runs one step of an import. */
function toStep(step: Step): Action {
  return async (req, form) => {
    const { project, path } = await toProjectRequest(req)
    await step(req.service, req.actor, { projectId: project.id, id: form.get('id') ?? '' })
    return redirect(`${path}/import`)
  }
}

function toNewImport(projectId: string, form: URLSearchParams, fileName: string, size: number): NewImport {
  return { projectId, fileName, size, workspace: form.get('workspace')?.trim() || undefined }
}

/** The fields and the file of a form in the format `multipart/form-data`. */
const readUpload: ReadPosted = async (service, request, req) => {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data')) throw new Refusal('Content-Type must be multipart/form-data')
  const read = () => readBytes(request, MAX_UPLOAD_BYTES, UPLOAD_TIMEOUT_MS)
  const bytes = await holdingBody(service, request, req.visitor.member.id, MAX_UPLOAD_BYTES, read).catch(toUnread)
  const posted = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(toUnread)
  const fields = [...posted]
  requireFieldCount(fields.length)
  const texts = fields.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : value.name])
  return { form: new URLSearchParams(texts), file: await toFile(posted.get('file')) }
}

async function toFile(value: File | string | null): Promise<PostedFile> {
  if (value === null || typeof value === 'string') return { name: '', bytes: new Uint8Array() }
  return { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) }
}

/** The body is a part of a file; its parameters are in the query. */
const readPart: ReadPosted = async (service, request, req) => {
  const bytes = await holdingBody(service, request, req.visitor.member.id, MAX_PART_BYTES, () => readBytes(request, MAX_PART_BYTES)).catch(
    toUnread,
  )
  return { form: req.url.searchParams, file: { name: '', bytes } }
}

function toUnread(error: unknown): never {
  if (error instanceof TooMany) throw error
  throw new Refusal('the file did not arrive, or is too large to be sent at once')
}
