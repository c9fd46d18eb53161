import { Refusal, TooMany } from '../../errors.ts'
import { readBytes, requireFieldCount } from '../../http/body.ts'
import type { Service } from '../../service.ts'
import { holdingBody } from '../form.ts'
import type { PageRequest, PostedFile, ReadPosted } from '../page.ts'

/** Maximum size of a form with a file, as sent by a browser without scripts; the service accepts no larger bodies. */
export const MAX_UPLOAD_BYTES = 2_000_000
/** Maximum size of the other fields of the form. */
export const FIELDS_BYTES = 4_096
const UPLOAD_TIMEOUT_MS = 120_000
/** Maximum size of a part of a file, as sent by a browser with scripts. Proxies accept a megabyte by default. */
export const MAX_PART_BYTES = 524_288

/** The fields and the file of a form in the format `multipart/form-data`. */
export async function readUpload(service: Service, request: Request, req: PageRequest): ReturnType<ReadPosted> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.toLowerCase().startsWith('multipart/form-data'))
    throw new Refusal('Content-Type must be multipart/form-data')
  const read = () => readBytes(request, MAX_UPLOAD_BYTES, UPLOAD_TIMEOUT_MS)
  const bytes = await holdingBody(service, request, req.visitor.member, MAX_UPLOAD_BYTES, read).catch(toUnread)
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
export async function readPart(service: Service, request: Request, req: PageRequest): ReturnType<ReadPosted> {
  const bytes = await holdingBody(service, request, req.visitor.member, MAX_PART_BYTES, () =>
    readBytes(request, MAX_PART_BYTES),
  ).catch(toUnread)
  return { form: req.url.searchParams, file: { name: '', bytes } }
}

function toUnread(error: unknown): never {
  if (error instanceof TooMany) throw error
  throw new Refusal('the file did not arrive, or is too large to be sent at once')
}
