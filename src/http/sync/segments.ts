import { toSender } from '../../account/limits/held-bytes.ts'
import { authorizeHistory } from '../../history/authorize-history.ts'
import { forgetSource } from '../../history/erase/erase.ts'
import { MAX_COMPRESSED_BYTES } from '../../history/upload/bounds.ts'
import { inflate } from '../../history/upload/inflate.ts'
import { type PutSegment, putSegment, type SentSegment } from '../../history/upload/put-segment.ts'
import { UploadRefusal } from '../../history/upload/upload-refusal.ts'
import { announcedSize, readBytes } from '../body.ts'
import { urlOf } from '../request.ts'
import { type SyncRequest, toError, toJson } from './route.ts'

/** `PUT /v1/sync/sources/{source}/lines?first=yes` */
export async function put(req: SyncRequest): Promise<Response> {
  const { service, request, caller, actor } = req
  const place = readPlace(req)
  await authorizeHistory(service, actor, caller.projectId, 'write')
  const size = announcedSize(request.headers, MAX_COMPRESSED_BYTES)
  if (size > MAX_COMPRESSED_BYTES)
    throw new UploadRefusal('too_large', `the body is larger than ${MAX_COMPRESSED_BYTES} bytes; send fewer lines`)
  service.uploadTraffic.consumeBytes(caller, size)
  const release = service.uploadTraffic.hold(toSender(caller), size)
  try {
    const compressed = await readBytes(request, MAX_COMPRESSED_BYTES)
    // Its error is rethrown below, so that `run` itself rejects only for a full queue.
    const work = () => Promise.allSettled([takeSegment(req, place, compressed)])
    const [done] = await service.uploads.run(caller.keyId, size, work, () => request.signal).catch(() => [undefined])
    if (done === undefined) return toError(503, 'busy', 'too many segments at once', {}, 1)
    if (done.status === 'rejected') throw done.reason
    return toAnswer(done.value)
  } finally {
    release()
  }
}

async function takeSegment(
  { service, caller, identify }: SyncRequest,
  place: Place,
  compressed: Uint8Array,
): Promise<PutSegment> {
  const actor = await identify()
  const body = await inflate(compressed)
  service.uploadTraffic.consumeBytes(caller, Math.max(0, body.length - compressed.length))
  return putSegment(service, actor, { ...place, projectId: caller.projectId, body })
}

function toAnswer({ chain, lines, isNew, redacted }: PutSegment): Response {
  return toJson({ chain, lines, ...(isNew && { redacted }) }, isNew ? 201 : 200)
}

type Place = Omit<SentSegment, 'projectId' | 'body'>

/** @throws UploadRefusal for headers that are not as documented. */
function readPlace({ request, params }: SyncRequest): Place {
  const { headers } = request
  if (headers.get('content-encoding') !== 'zstd') throw invalid('Content-Encoding must be zstd')
  return {
    sourceId: params.source ?? '',
    isFirst: urlOf(request).searchParams.get('first') === 'yes',
    digest: readDigest(headers.get('content-digest') ?? ''),
    chain: readChain(headers.get('x-memsvc-chain') ?? ''),
  }
}

/** RFC 9530, of one SHA-256. */
function readDigest(header: string): string {
  const [, digest] = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header) ?? []
  if (digest === undefined) throw invalid('Content-Digest must be sha-256=:<base64>:')
  return Buffer.from(digest, 'base64').toString('hex')
}

function readChain(header: string): string {
  if (!/^[0-9a-f]{64}$/.test(header)) throw invalid('the header x-memsvc-chain is missing or not as documented')
  return header
}

const invalid = (message: string) => new UploadRefusal('invalid', message)

/** `POST /v1/sync/sources/{source}/forget` */
export async function forget({ service, actor, caller, params }: SyncRequest): Promise<Response> {
  await forgetSource(service, actor, { projectId: caller.projectId, id: params.source ?? '' })
  return toJson({ forgotten: true })
}
