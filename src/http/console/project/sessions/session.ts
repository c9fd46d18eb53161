import { Elysia } from 'elysia'
import { toTranscript, toWholeLine } from '../../../../console/project/sessions/transcript.ts'
import { Refusal } from '../../../../errors.ts'
import { eraseSession } from '../../../../history/erase/erase.ts'
import { exportSession } from '../../../../history/read/export-session.ts'
import { searchSession } from '../../../../history/read/grep.ts'
import { findSession } from '../../../../history/read/list-sessions.ts'
import { readTranscript, readTranscriptLines } from '../../../../history/read/transcript.ts'
import type { Service } from '../../../../service.ts'
import { toDownload } from '../../../download.ts'
import { action, page } from '../../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../../page-request.ts'

const PATH = '/console/projects/:project/sessions/:session'

/** Entries of a transcript, and search hits, per page. */
const PAGE_LINES = 60
const PAGE_HITS = 50
const MAX_LINE = 1e9

/** The page of one session of the visitor: a readable transcript, search inside it, export and erasing. */
export function session(service: Service) {
  return new Elysia({ name: 'console/session' })
    .get(PATH, page(service, showSession))
    .get(`${PATH}/lines/:line`, page(service, showLine))
    .get(`${PATH}/export`, page(service, download))
    .post(`${PATH}/erase`, action(service, erase, showSession), { parse: 'none' })
}

/** The session in the path, and the paths of the list and of its page. */
export async function toSessionRequest(req: PageRequest) {
  const { project, caller, path } = await toProjectRequest(req)
  const id = req.params.session ?? ''
  const list = `${path}/sessions`
  return { project, caller, path, list, at: `${list}/${encodeURIComponent(id)}`, place: { projectId: project.id, id } }
}

/** The page of a session, from the line in the query on. */
export async function showSession(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor, url } = req
  const { project, list, at, place } = await toSessionRequest(req)
  const { session: found, subagents } = await findSession(service, actor, place)
  const query = url.searchParams.get('q')?.trim() ?? ''
  const [from, all] = [readLine(url.searchParams.get('from')) ?? 1, url.searchParams.get('all') === 'yes']
  const hits = query === '' ? undefined : await searchSession(service, actor, { ...place, text: query, from, limit: PAGE_HITS, all })
  const shown = hits === undefined ? await readTranscript(service, actor, { ...place, from, limit: PAGE_LINES, all }) : NO_LINES
  const body = toTranscript({ list, at, session: found, subagents, from, all, query, hits, lines: shown.lines, next: shown.next })
  return toConsolePage(req, state, { title: found.title ?? 'Session', section: list, project, body })
}

const NO_LINES = { lines: [], next: undefined }

async function showLine(req: PageRequest, state: FormState): Promise<Response> {
  const { project, list, at, place } = await toSessionRequest(req)
  const number = readLine(req.params.line ?? null)
  const { session: found, lines } = await readTranscriptLines(req.service, req.actor, { ...place, numbers: [number ?? 0] })
  const [line] = lines
  if (line === undefined) throw new Refusal('there is no such line')
  return toConsolePage(req, state, {
    title: `Line ${line.line}`,
    section: list,
    project,
    body: toWholeLine({ at, session: found, line }),
  })
}

/** The number of a line; undefined for anything else. */
export function readLine(text: string | null): number | undefined {
  const number = Number(text ?? '')
  return Number.isSafeInteger(number) && number > 0 && number <= MAX_LINE ? number : undefined
}

async function download(req: PageRequest): Promise<Response> {
  const { place } = await toSessionRequest(req)
  const { session: found, pieces } = await exportSession(req.service, req.actor, place)
  const name = `${found.assistant}-${found.session_id}`
  return toDownload(req.service, { pieces: pieces(), type: 'application/x-ndjson', name, extension: 'jsonl' })
}

async function erase(req: PageRequest): Promise<Response> {
  const { list, place } = await toSessionRequest(req)
  await eraseSession(req.service, req.actor, place)
  return redirect(list, 'history.erased')
}
