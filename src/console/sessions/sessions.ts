import { confirmHistoryAccess } from '../../account/auth/history-access.ts'
import { eraseAllSessions } from '../../history/erase/erase.ts'
import { type FoundSession, findSessions } from '../../history/find/find-sessions.ts'
import { readFilter as readSourceFilter } from '../../history/find/read-filter.ts'
import { type HistoryState, listSessions, readHistoryState } from '../../history/read/list-sessions.ts'
import type { Session } from '../../history/read/session.ts'
import { readFiltered } from '../form.ts'
import { FORM_ID, toButton, toField } from '../markup/form.ts'
import { countOf, toCount, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { numeric, short, toBadge, toCountedTitle, toFacts, toFold, toTable } from '../markup/table.ts'
import { done, openProject, type PageContent, type ProjectRequest, pageOf } from '../page.ts'
import { PAGE_SIZE, toPageLink, toQueryPath } from '../paging.ts'
import { readFilter, type SessionFilter, toAssistantName, toFilter } from './session-filters.ts'
import { switchSuggestions, toSwitch } from './suggestions.ts'

/** The list of the sessions that the visitor has uploaded. */
export const sessions = pageOf(openProject, {
  path: '/console/projects/:project/sessions',
  show: showSessions,
  forms: {
    '/erase': done('history.erased', ({ service, actor, project }) =>
      eraseAllSessions(service, actor, { projectId: project.id }),
    ),
    '/suggestions': switchSuggestions,
    '/confirm': done('history.confirmed', ({ service, actor }, form) =>
      confirmHistoryAccess(service, actor, form.get('code') ?? ''),
    ),
  },
})

async function showSessions(req: ProjectRequest): Promise<PageContent> {
  const { service, actor, project, at } = req
  const state = await readHistoryState(service, actor, project.id)
  const access = actor.member.historyAccess
  const isOpen = access === 'confirmed' || state.sessions === 0
  if (!isOpen) return { title: 'Sessions', body: toConfirmation(at, access === 'withheld') }
  return { title: 'Sessions', ...(await toSessions(req, state)) }
}

const COLUMNS = ['Session', short('Assistant'), 'Folder', numeric('Lines'), short('Last')]

/** The visitor's uploaded sessions, and the state of the uploads. */
async function toSessions(req: ProjectRequest, state: HistoryState): Promise<Omit<PageContent, 'title'>> {
  const filter = readFilter(req.url)
  const isNarrowed = Object.values(filter).some(Boolean)
  const toFound = filter.words !== '' || filter.file !== '' ? toResults : toList
  // Of nothing even a sign-in that is not confirmed may be told.
  const { found, refused } = state.sessions === 0 ? {} : await readFiltered(() => toFound(req, filter))
  const body = html`${toCountedTitle('Sessions', isNarrowed ? undefined : state.sessions)}
<p class="quiet">Conversations with your coding assistants, uploaded by your local agent. Only you see them, and <code>search</code> does not find them. A session is kept for ${countOf(req.service.config.historyDays, 'day')} after its last upload.</p>
${state.sessions === 0 ? BEGINNING : toState(state)}
${state.sessions === 0 && !isNarrowed ? undefined : toFilter(req.at, filter)}
${found}
${await toSwitch(req)}
${state.sessions === 0 ? undefined : toEraseAll(req.at, state)}`
  return { body, refused }
}

async function toList({ service, actor, url, at, project }: ProjectRequest, filter: SessionFilter): Promise<Html> {
  const { sessions, next } = await listSessions(service, actor, {
    ...readSourceFilter((name) => filter[name]),
    projectId: project.id,
    before: url.searchParams.get('before') ?? undefined,
    subagents: filter.subagents === 'yes',
    limit: PAGE_SIZE,
  })
  const older = next && toQueryPath(at, { ...filter, before: next })
  const rows = sessions.map((session) => toRow(at, session))
  return html`${toTable('Your sessions', COLUMNS, rows, 'No such session.')}
${toPageLink(older, 'Older')}`
}

/** Sessions found in one page of results. */
const FOUND_SIZE = 20

async function toResults({ service, actor, url, at, project }: ProjectRequest, filter: SessionFilter): Promise<Html> {
  const from = Number(/^\d{1,3}$/.exec(url.searchParams.get('from') ?? '')?.[0] ?? 0)
  const { words, file } = filter
  const narrowed = { ...readSourceFilter((name) => filter[name]), projectId: project.id, words, file }
  const page = await findSessions(service, actor, { ...narrowed, from, limit: FOUND_SIZE })
  const { found, next, only_best: best } = page
  const more = next === undefined ? undefined : toQueryPath(at, { ...filter, from: String(next) })
  if (found.length === 0) return html`<p class="quiet">No session has these words.</p>`
  return html`${toTable(
    'Found sessions',
    ['Session', short('Assistant'), short('Last')],
    found.map((one) => toFoundRow(at, one)),
  )}
${toPageLink(more, 'More')}
${best === undefined ? undefined : html`<p class="quiet">Only the best ${best} sessions are found: more words or a filter narrow it.</p>`}`
}

function toFoundRow(at: string, { session, lines }: FoundSession) {
  const { id, assistant, cwd } = session
  const shown = lines.map(
    ({ line, role, text }) =>
      html`<small class="under"><a href="${at}/${id}?from=${line}">#${line}</a> ${role}: <bdi>${text}</bdi></small>`,
  )
  return [
    html`${toTitle(at, session)}${cwd === null ? undefined : html` <bdi class="path quiet">${cwd}</bdi>`}${shown}`,
    toAssistantName(assistant),
    toLast(session),
  ]
}

const toTitle = (at: string, { id, title, session_id }: Session): Html =>
  html`<a class="title" href="${at}/${id}"><bdi>${title ?? session_id}</bdi></a>`

const toLast = ({ last_at, received_at }: Session): Html => toTime(last_at ?? received_at)

const BEGINNING = html`<section class="panel"><h2>Nothing has been uploaded yet</h2>
<p>Uploading is off until you switch it on. On the machine where your assistants run, with a key of this project:</p>
<pre class="paste">memsvc sync enable</pre>
<p class="quiet">It shows what would leave the machine before it asks. Credentials are removed first, on your machine and again here.</p></section>`

function toState({ sessions, bytes, limit, received_at: receivedAt }: HistoryState): Html {
  return html`${toFacts([
    ['Sessions', toCount(sessions)],
    ['Stored', `${toSize(bytes)}; the plan allows ${toSize(limit)} for the project`],
    ['Last upload', toTime(receivedAt)],
  ])}
<p class="quiet"><code>memsvc sync status</code> on your machine shows what still waits to be uploaded.</p>`
}

function toEraseAll(at: string, { sessions }: HistoryState): Html {
  const what = sessions === 1 ? 'the one session' : `all ${countOf(sessions, 'session')}`
  return toFold(
    'Erase all',
    { actions: [] },
    html`<p>Erasing ${what} that you uploaded to this project is final: nobody can bring it back. The files on your machine stay, and are not uploaded again.</p>
<div class="row">${toButton(`${at}/erase`, 'Erase all for good', { look: 'danger' })}</div>`,
  )
}

function toRow(at: string, session: Session) {
  const { assistant, kind, cwd, lines } = session
  return [
    html`${toTitle(at, session)}${kind === 'subagent' ? html` ${toBadge('subagent')}` : undefined}`,
    toAssistantName(assistant),
    cwd === null ? '–' : html`<bdi class="path">${cwd}</bdi>`,
    toCount(lines),
    toLast(session),
  ]
}

/**
 * What is shown in the place of the visitor's sessions until their sign-in is confirmed. `isWithheld` says whether
 * somebody else made the link by which the visitor's password was set.
 */
function toConfirmation(at: string, isWithheld: boolean): Html {
  return html`<h1>Sessions</h1>
<p class="quiet">Sessions were uploaded in your name. They are shown once you confirm that this sign-in is yours.</p>
${isWithheld ? html`<p class="notice">Your password was set by a link that somebody else made, who may know it. <a href="/console/me">Choose another one</a> first.</p>` : undefined}
<form method="post" action="${at}/confirm" class="panel">${FORM_ID}
<h2>Confirm this sign-in</h2>
<p>On a machine that uploads your sessions, run:</p>
<pre class="paste">memsvc sync console</pre>
${toField({ name: 'code', label: 'The code that it prints', required: true, maxlength: 40 })}
<div class="actions"><button class="main">Confirm</button></div>
</form>`
}
