import { makeHistoryCode } from '../../account/auth/history-access.ts'
import { toIsoTime } from '../../clock.ts'
import { eraseAllSessions, eraseSession } from '../../history/erase/erase.ts'
import { findSessions } from '../../history/find/find-sessions.ts'
import { readFilter } from '../../history/find/read-filter.ts'
import { searchSession } from '../../history/read/grep.ts'
import { listSessions, readHistoryState } from '../../history/read/list-sessions.ts'
import { exportSession } from '../../history/read/session.ts'
import { readTranscript } from '../../history/read/transcript.ts'
import { readSuggesting, setSuggesting } from '../../history/suggestions/review.ts'
import { UploadRefusal } from '../../history/upload/upload-refusal.ts'
import { toBody } from '../chunks.ts'
import { urlOf } from '../request.ts'
import { type SyncRequest, toJson } from './route.ts'

const USUAL_LIMIT = 100
const MAX_LIMIT = 500
const USUAL_FOUND = 10
const MAX_LINE = 1e12

/** `GET /v1/sync/sessions?assistant=&folder=&branch=&since=&until=&subagents=yes&before=&limit=`: what the holder of the key has uploaded. */
export async function list({ service, actor, caller, request }: SyncRequest): Promise<Response> {
  const { searchParams: query } = urlOf(request)
  const { projectId } = caller
  const page = await listSessions(service, actor, {
    projectId,
    ...readFilter((name) => query.get(name)),
    subagents: query.get('subagents') === 'yes',
    before: query.get('before') ?? undefined,
    limit: readNumber(query, 'limit', USUAL_LIMIT, MAX_LIMIT),
  })
  return toJson({ ...page, state: await readHistoryState(service, actor, projectId) })
}

/**
 * `GET /v1/sync/find?words=&file=&assistant=&folder=&branch=&since=&until=&from=&limit=`: the sessions that have these
 * words or touched this file.
 */
export async function find({ service, actor, caller, request }: SyncRequest): Promise<Response> {
  const { searchParams: query } = urlOf(request)
  const from = query.get('from')
  const page = await findSessions(service, actor, {
    projectId: caller.projectId,
    ...readFilter((name) => query.get(name)),
    words: query.get('words') ?? undefined,
    file: query.get('file') ?? undefined,
    from: from === null ? 0 : readNumber(query, 'from', 1, MAX_LIMIT),
    limit: readNumber(query, 'limit', USUAL_FOUND, MAX_LIMIT),
  })
  return toJson(page)
}

/** `GET /v1/sync/sessions/{session}/lines?from=&limit=&all=yes` */
export async function lines(req: SyncRequest): Promise<Response> {
  return toJson(await readTranscript(req.service, req.actor, { ...toPlace(req), ...toPart(req) }))
}

/** `GET /v1/sync/sessions/{session}/matches?text=&from=&limit=&all=yes` */
export async function matches(req: SyncRequest): Promise<Response> {
  const text = urlOf(req.request).searchParams.get('text') ?? ''
  return toJson(await searchSession(req.service, req.actor, { ...toPlace(req), ...toPart(req), text }))
}

/** `GET /v1/sync/sessions/{session}/export`: its lines as JSON Lines. */
export async function exportLines(req: SyncRequest): Promise<Response> {
  const { pieces } = await exportSession(req.service, req.actor, toPlace(req))
  const headers = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' }
  return new Response(toBody(req.service, pieces()), { headers })
}

/** `POST /v1/sync/sessions/{session}/erase` */
export async function erase(req: SyncRequest): Promise<Response> {
  return toJson(await eraseSession(req.service, req.actor, toPlace(req)))
}

/** `POST /v1/sync/sessions/erase` */
export async function eraseAll({ service, actor, caller }: SyncRequest): Promise<Response> {
  return toJson(await eraseAllSessions(service, actor, { projectId: caller.projectId }))
}

/** `POST /v1/sync/console-code`: the code by which the holder of the key confirms their sign-in in the console. */
export async function makeCode({ service, actor }: SyncRequest): Promise<Response> {
  const { code, expiresAt, member } = await makeHistoryCode(service, actor)
  return toJson({ code, expires_at: toIsoTime(expiresAt), member })
}

/** `GET /v1/sync/suggestions`: whether the holder of the key agreed to suggestions from their sessions. */
export async function suggests({ service, actor, caller }: SyncRequest): Promise<Response> {
  return toJson({ suggestions: await readSuggesting(service, actor, caller.projectId) })
}

/** `POST /v1/sync/suggestions/yes` and `/no` */
export async function answer({ service, actor, caller, params }: SyncRequest): Promise<Response> {
  if (params.answer !== 'yes' && params.answer !== 'no') throw new UploadRefusal('invalid', 'answer yes or no')
  await setSuggesting(service, actor, caller.projectId, params.answer === 'yes')
  return toJson({ suggestions: params.answer === 'yes' })
}

const toPlace = ({ caller, params }: SyncRequest) => ({ projectId: caller.projectId, id: params.session ?? '' })

function toPart({ request }: SyncRequest): { from: number; limit: number; all: boolean } {
  const { searchParams: query } = urlOf(request)
  return {
    from: readNumber(query, 'from', 1, MAX_LINE),
    limit: readNumber(query, 'limit', USUAL_LIMIT, MAX_LIMIT),
    all: query.get('all') === 'yes',
  }
}

/** @throws UploadRefusal unless the value is a whole number from 1 to `most`. */
function readNumber(query: URLSearchParams, name: string, usual: number, most: number): number {
  const text = query.get(name)
  if (text === null) return usual
  const value = Number(text)
  if (!/^\d{1,13}$/.test(text) || value < 1 || value > most) {
    throw new UploadRefusal('invalid', `${name} must be a whole number from 1 to ${most}`)
  }
  return value
}
