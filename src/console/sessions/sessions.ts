import { confirmHistoryAccess } from '../../account/auth/history-access.ts'
import { eraseAllSessions } from '../../history/erase/erase.ts'
import { type HistoryState, listSessions, readHistoryState } from '../../history/read/list-sessions.ts'
import type { Session } from '../../history/read/session.ts'
import { type Option, toButton, toCheckbox, toField, toFold, toSelect } from '../markup/form.ts'
import { countOf, toCount, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { PAGE_SIZE, toOlderLink, toQueryPath } from '../paging.ts'
import { type FormState, type PageRequest, type ProjectRequest, toConsolePage, toProjectRequest } from '../request.ts'
import { redirect } from '../response.ts'

type Req = PageRequest & ProjectRequest

/** The list of the sessions that the visitor has uploaded. */
export const sessions = pageOf(toProjectRequest, {
  path: '/console/projects/:project/sessions',
  show: showSessions,
  forms: { '/erase': eraseAll, '/confirm': confirm },
})

async function showSessions(req: Req, state: FormState): Promise<Response> {
  const { service, actor, project, path } = req
  const at = `${path}/sessions`
  const histories = await readHistoryState(service, actor, project.id)
  const access = actor.member.historyAccess
  const isOpen = access === 'confirmed' || histories.sessions === 0
  const body = isOpen ? await toList(req, at, histories) : toConfirmation({ at, isWithheld: access === 'withheld' })
  return toConsolePage(req, state, { title: 'Sessions', section: at, project, body })
}

async function toList({ service, actor, url, project }: Req, at: string, state: HistoryState): Promise<Html> {
  const filter = { assistant: readAssistant(url.searchParams.get('assistant')), subagents: url.searchParams.has('subagents') }
  const asked = { assistant: filter.assistant || undefined, subagents: filter.subagents, limit: PAGE_SIZE }
  const before = url.searchParams.get('before') ?? undefined
  const isEmpty = state.sessions === 0
  const page = isEmpty ? NO_SESSIONS : await listSessions(service, actor, { projectId: project.id, before, ...asked })
  const query = { assistant: filter.assistant, subagents: filter.subagents ? 'yes' : '' }
  const older = page.next === undefined ? undefined : toQueryPath(at, { ...query, before: page.next })
  return toSessions({ at, sessions: page.sessions, older, state, days: service.config.historyDays, filter })
}

const NO_SESSIONS = { sessions: [], next: undefined }

/** Unknown names of assistants are ignored. */
const readAssistant = (text: string | null) => (text !== null && Object.hasOwn(ASSISTANT_NAMES, text) ? text : '')

async function eraseAll({ service, actor, project, path }: Req): Promise<Response> {
  await eraseAllSessions(service, actor, { projectId: project.id })
  return redirect(`${path}/sessions`, 'history.erased')
}

async function confirm({ service, actor, path }: Req, form: URLSearchParams): Promise<Response> {
  await confirmHistoryAccess(service, actor, form.get('code') ?? '')
  return redirect(`${path}/sessions`, 'history.confirmed')
}

type SessionsPage = {
  /** The path of the page. */
  at: string
  sessions: Session[]
  older: string | undefined
  state: HistoryState
  /** Number of days a session is kept after the last upload to it. */
  days: number
  filter: { assistant: string; subagents: boolean }
}

/** Display names of the assistants whose histories are uploaded. */
export const ASSISTANT_NAMES: Record<string, string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  copilot: 'Copilot CLI',
}

export const toAssistantName = (assistant: string) => ASSISTANT_NAMES[assistant] ?? assistant

const ANY: Option = { value: '', label: 'Any assistant' }
const COLUMNS: Column[] = [
  { label: 'Session' },
  { label: 'Assistant', look: 'short' },
  { label: 'Folder' },
  { label: 'Lines', look: 'number' },
  { label: 'Last', look: 'short' },
]

/** The visitor's uploaded sessions, and the state of the uploads. */
export function toSessions({ at, sessions, older, state, days, filter }: SessionsPage): Html {
  const isNarrowed = filter.assistant !== '' || filter.subagents
  const empty = isNarrowed ? 'No such session.' : 'Nothing has been uploaded yet.'
  return html`<h1>Sessions</h1>
<p class="quiet">What your coding assistants and you said, uploaded by your local agent. No other member sees any of it, and <code>search</code> does not find it. A session is kept for ${countOf(days, 'day')} after the last upload to it.</p>
${state.sessions === 0 ? toBeginning() : toState(state)}
${state.sessions === 0 && !isNarrowed ? undefined : toFilter(at, filter)}
${
  state.sessions === 0
    ? undefined
    : toTable(
        'Your sessions',
        COLUMNS,
        sessions.map((session) => toRow(at, session)),
        empty,
      )
}
${toOlderLink(older)}
${state.sessions === 0 ? undefined : toEraseAll(at, state)}`
}

function toBeginning(): Html {
  return html`<section class="panel"><h2>Nothing has been uploaded yet</h2>
<p>Uploading is off until you switch it on. On the machine where your assistants run, with a key of this project:</p>
<pre class="paste">memsvc sync enable</pre>
<p class="quiet">It shows what would leave the machine before it asks. Credentials are taken out first, on your machine and here again.</p></section>`
}

function toState({ sessions, bytes, limit, received_at: receivedAt }: HistoryState): Html {
  return html`${toFacts([
    ['Sessions', toCount(sessions)],
    ['Stored', `${toSize(bytes)}; the plan has ${toSize(limit)} for the project`],
    ['Last upload', toTime(receivedAt === null ? null : Date.parse(receivedAt))],
  ])}
<p class="quiet">Whether something waits to be uploaded is known on the machine that has it: <code>memsvc sync status</code>.</p>`
}

function toEraseAll(at: string, { sessions }: HistoryState): Html {
  const what = sessions === 1 ? 'the one session' : `all ${countOf(sessions, 'session')}`
  return toFold(
    'Erase all',
    { actions: [] },
    html`<p>Erasing ${what} that you uploaded to this project is final: nobody can bring back any of it. The files on your machine stay, and are not uploaded again.</p>
<div class="row">${toButton(`${at}/erase`, 'Erase all for good', { look: 'danger' })}</div>`,
  )
}

function toFilter(at: string, { assistant, subagents }: SessionsPage['filter']): Html {
  const options = [ANY, ...Object.entries(ASSISTANT_NAMES).map(([value, label]) => ({ value, label }))]
  return html`<form method="get" action="${at}" class="line">
${toSelect({ name: 'assistant', label: 'Assistant', value: assistant }, options)}
${toCheckbox({ name: 'subagents', label: 'Subagents too', ticked: subagents })}
<button class="main">Show</button>
</form>`
}

function toRow(at: string, session: Session): Html[] {
  const { id, title, session_id, assistant, kind, cwd, lines, last_at, received_at } = session
  const last = last_at ?? received_at
  return [
    html`<a class="title" href="${at}/${id}"><bdi>${title ?? session_id}</bdi></a>${kind === 'subagent' ? html` ${toBadge('subagent')}` : undefined}`,
    html`${toAssistantName(assistant)}`,
    cwd === null ? html`–` : html`<bdi class="path">${cwd}</bdi>`,
    html`${toCount(lines)}`,
    toTime(last === null ? null : Date.parse(last)),
  ]
}

type ConfirmationPage = {
  /** The path of the list of sessions. */
  at: string
  /** Whether somebody else made the link by which the visitor's password was set. */
  isWithheld: boolean
}

/** What is shown in the place of the visitor's sessions until their sign-in is confirmed. */
export function toConfirmation({ at, isWithheld }: ConfirmationPage): Html {
  return html`<h1>Sessions</h1>
<p class="quiet">Sessions were uploaded in your name. They are shown once it is certain that this sign-in is yours and nobody else's.</p>
${isWithheld ? html`<p class="notice">Your password was set by a link that somebody else made, who may know it. <a href="/console/me">Choose another one</a> first.</p>` : undefined}
<form method="post" action="${at}/confirm" class="panel">
<h2>Confirm this sign-in</h2>
<p>On a machine that uploads your sessions, run:</p>
<pre class="paste">memsvc sync console</pre>
${toField({ name: 'code', label: 'The code that it prints', value: '', required: true, maxlength: 40 })}
<div class="actions"><button class="main">Confirm</button></div>
</form>`
}
