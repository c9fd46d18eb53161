import type { HistoryState } from '../../../history/read/list-sessions.ts'
import type { Session } from '../../../history/read/session.ts'
import { type Option, toButton, toCheckbox, toFold, toSelect } from '../../markup/form.ts'
import { countOf, toCount, toSize, toTime } from '../../markup/format.ts'
import { type Html, html } from '../../markup/html.ts'
import { toOlderLink } from '../../markup/paging.ts'
import { type Column, toBadge, toFacts, toTable } from '../../markup/table.ts'

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
