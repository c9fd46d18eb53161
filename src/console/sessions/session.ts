import { Refusal } from '../../errors.ts'
import { eraseSession } from '../../history/erase/erase.ts'
import { searchSession } from '../../history/read/grep.ts'
import { findSession, readSummary } from '../../history/read/list-sessions.ts'
import { exportSession, type Session } from '../../history/read/session.ts'
import { readTranscript, readTranscriptLines } from '../../history/read/transcript.ts'
import { listKeptSources } from '../../history/suggestions/review.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { html } from '../markup/html.ts'
import { type Answer, openProject, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { toHeadline, toRecordPath } from '../records/record-card.ts'
import { redirect, toDownload } from '../response.ts'
import { type RecordLinks, savedOn, toEntries } from './entry.ts'
import { toTranscript, toWholeLine } from './transcript.ts'

/** Entries of a transcript, and search hits, per page. */
const PAGE_LINES = 60
const PAGE_HITS = 50
const MAX_LINE = 1e9

/** The page of one session of the visitor: a readable transcript, search inside it, export and erasing. */
export const session = pageOf(openSession, {
  path: '/console/projects/:project/sessions/:session',
  show: showSession,
  views: { '/lines/:line': showLine, '/export': download },
  forms: { '/erase': erase },
})

/** The session in the path, and the paths of the list and of its page. */
export async function openSession(req: PageRequest) {
  const { project, caller, path } = await openProject(req)
  const id = req.params.session ?? ''
  const list = `${path}/sessions`
  return {
    project,
    caller,
    path,
    list,
    page: `${list}/${encodeURIComponent(id)}`,
    place: { projectId: project.id, id },
  }
}

export type SessionRequest = PageRequest & Awaited<ReturnType<typeof openSession>>

/** The page of a session, from the line in the query on. */
export async function showSession(req: SessionRequest): Promise<PageContent> {
  const { service, actor, url, list, page, place } = req
  const { session: found, subagents } = await findSession(service, actor, place)
  const query = url.searchParams.get('q')?.trim() ?? ''
  const [from, all] = [readLine(url.searchParams.get('from')) ?? 1, url.searchParams.get('all') === 'yes']
  const hits =
    query === ''
      ? undefined
      : await searchSession(service, actor, { ...place, text: query, from, limit: PAGE_HITS, all })
  const shown =
    hits === undefined
      ? await readTranscript(service, actor, { ...place, from, limit: PAGE_LINES, all, hasParts: true })
      : NO_LINES
  const summary = from === 1 && hits === undefined ? await readSummary(service, actor, place) : undefined
  const saved = summary === undefined ? [] : [...summary.records, ...(await listChosen(req, found))]
  const records = await readLinks(req, [...saved, ...shown.lines.flatMap(savedOn)])
  const body = toTranscript({
    summary,
    saved: [...new Set(saved)].flatMap((id) => records.get(id) ?? []),
    list,
    at: page,
    session: found,
    subagents,
    from,
    all: all ? 'yes' : '',
    query,
    hits,
    entries: await toEntries(page, shown.lines, records),
    next: shown.next,
  })
  return { title: found.title ?? 'Session', section: list, body }
}

/** Most records that a page links to. */
const MAX_LINKED = 100

/** Ids of records that the visitor made of lines of the session, or of what was suggested from it. */
async function listChosen({ service, actor, project, caller, place }: SessionRequest, session: Session) {
  const store = service.store.project(project.id)
  const ids: string[] = []
  for (const beginning of [toSourceBeginning(session), ...(await listKeptSources(service, actor, place))]) {
    const found = await store.listOfSourcesBeginning(visibleTo(caller), beginning, MAX_LINKED)
    ids.push(...found.filter(({ authorId }) => authorId === caller.authorId).map(({ id }) => id))
  }
  return ids
}

/** What the source of a record that was made of lines of a session begins with; the numbers of the lines follow. */
export const toSourceBeginning = ({ assistant, session_id }: Session): string => `session:${assistant}/${session_id}#`

/** Links to those of the records that are in the project and that the visitor may see. */
async function readLinks({ service, project, caller, path }: SessionRequest, ids: string[]): Promise<RecordLinks> {
  const links: RecordLinks = new Map()
  for (const id of [...new Set(ids)].slice(0, MAX_LINKED)) {
    const found = await service.store.project(project.id).findRecord(visibleTo(caller), id)
    if (found !== undefined)
      links.set(id, html`<a href="${toRecordPath(path, id)}"><bdi>${toHeadline(found.content)}</bdi></a>`)
  }
  return links
}

const NO_LINES = { lines: [], next: undefined }

async function showLine({ service, actor, params, list, page, place }: SessionRequest): Promise<PageContent> {
  const number = readLine(params.line ?? null)
  const { session: found, lines } = await readTranscriptLines(service, actor, { ...place, numbers: [number ?? 0] })
  const [line] = lines
  if (line === undefined) throw new Refusal('there is no such line')
  return { title: `Line ${line.line}`, section: list, body: toWholeLine({ at: page, session: found, line }) }
}

/** The number of a line; undefined for anything else. */
export function readLine(text: string | null): number | undefined {
  const number = Number(text ?? '')
  return Number.isSafeInteger(number) && number > 0 && number <= MAX_LINE ? number : undefined
}

async function download({ service, actor, place }: SessionRequest): Promise<Response> {
  const { session: found, pieces } = await exportSession(service, actor, place)
  const name = `${found.assistant}-${found.session_id}`
  return toDownload(service, { pieces: pieces(), type: 'application/x-ndjson', name, extension: 'jsonl' })
}

async function erase({ service, actor, list, place }: SessionRequest): Promise<Answer> {
  await eraseSession(service, actor, place)
  return redirect(list, 'history.erased')
}
