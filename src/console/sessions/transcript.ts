import { MINUTE_MS } from '../../clock.ts'
import type { Hits } from '../../history/read/grep.ts'
import type { SessionSummary } from '../../history/read/list-sessions.ts'
import type { Session } from '../../history/read/session.ts'
import type { TranscriptLine } from '../../history/read/transcript.ts'
import { toButton, toHiddenFields } from '../markup/form.ts'
import { countOf, toCount, toExactTime, toFactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts, toFold } from '../markup/table.ts'
import { toPageLink, toQueryPath } from '../paging.ts'
import { toLineTime, toRoleName } from './entry.ts'
import { toAssistantName } from './session-filters.ts'

type TranscriptPage = {
  /** The path of the list, and of this page. */
  list: string
  at: string
  session: Session
  subagents: Session[]
  /** On the first page: what the session did. */
  summary: SessionSummary | undefined
  /** Links to the records that were saved in it. */
  saved: Html[]
  /** The entries of the page's lines. */
  entries: Html[]
  /** The first line of the page, and the first line of the next one. */
  from: number
  next: number | undefined
  /** `yes` if lines that are not part of the conversation are shown, too; else empty. */
  all: 'yes' | ''
  /** The search text, and what was found. */
  query: string
  hits: Pick<Hits, 'hits' | 'next'> | undefined
}

/** The transcript of one session, with search. */
export function toTranscript(page: TranscriptPage): Html {
  const { list, at, session, query, hits } = page
  return html`<p class="back"><a href="${list}">All sessions</a></p>
<h1 class="named"><bdi>${session.title ?? session.session_id}</bdi></h1>
${toHead(page)}
${toFold('About this session', { actions: [] }, html`${toSessionFacts(page)}<p><a class="button" href="${at}/export">Export</a></p>${toErase(page)}`)}
<form method="get" action="${at}" class="search" role="search">
<input name="q" type="search" value="${query}" maxlength="1000" autocomplete="off" aria-label="Search in this session" placeholder="Search in this session">
${page.all && toHiddenFields({ all: page.all })}
<button class="main">Search</button>${query === '' ? undefined : html`<a class="button" href="${at}">Clear</a>`}
</form>
${hits === undefined ? toLines(page) : toHits(page, hits)}`
}

/** Where, when and how long the session was, and what it did. */
function toHead({ session, summary, saved }: TranscriptPage): Html {
  const { assistant, cwd, git_branch: branch, lines, first_at, last_at, received_at } = session
  const last = last_at ?? received_at
  const lasted = first_at !== null && last_at !== null ? Date.parse(last_at) - Date.parse(first_at) : 0
  const tokens = summary?.tokens
  const facts = [
    html`<span>${toAssistantName(assistant)}</span>`,
    cwd === null ? undefined : html`<bdi class="path">${cwd}</bdi>`,
    branch === null ? undefined : html`<bdi class="path">${branch}</bdi>`,
    html`<span>${countOf(lines, 'line')}</span>`,
    lasted > 0 ? html`<span>${toDuration(lasted)}</span>` : undefined,
    tokens && html`<span>${toCount(tokens.input)} tokens read, ${toCount(tokens.output)} written</span>`,
    last === null ? undefined : toLineTime(last),
  ]
  return html`<p class="meta">${facts.filter((fact) => fact !== undefined)}</p>${summary && toFiles(summary)}${toSaved(saved, summary)}`
}

const HOUR_MINUTES = 60

function toDuration(durationMs: number): string {
  const minutes = Math.max(1, Math.round(durationMs / MINUTE_MS))
  if (minutes < 2 * HOUR_MINUTES) return countOf(minutes, 'minute')
  return countOf(Math.round(minutes / HOUR_MINUTES), 'hour')
}

const toPart = (summary: SessionSummary | undefined) => (summary?.isPartial ? ' in its first part' : '')

function toSaved(saved: Html[], summary: SessionSummary | undefined): Html | undefined {
  if (saved.length === 0) return undefined
  return html`<details class="files"><summary>${countOf(saved.length, 'record')} saved${toPart(summary)}</summary>
<ul>${saved.map((link) => html`<li>${link}</li>`)}</ul></details>`
}

function toFiles(summary: SessionSummary): Html | undefined {
  const { files } = summary
  if (files.length === 0) return undefined
  return html`<details class="files"><summary>${countOf(files.length, 'file')} touched${toPart(summary)}</summary>
<ul>${files.map((file) => html`<li><bdi class="path">${file}</bdi></li>`)}</ul></details>`
}

function toSessionFacts({ list, session, subagents }: TranscriptPage): Html {
  const { assistant, app_version, session_id, cwd, git_branch, first_at, last_at, received_at, lines, erased_at } =
    session
  return toFacts([
    ['Assistant', `${toAssistantName(assistant)}${app_version === null ? '' : ` ${app_version}`}`],
    ['Session id', html`<code>${session_id}</code>`],
    ['Folder', cwd === null ? undefined : html`<bdi class="path">${cwd}</bdi>`],
    ['Branch', git_branch === null ? undefined : html`<bdi>${git_branch}</bdi>`],
    ['Began', toFactTime(first_at)],
    ['Last line', toFactTime(last_at)],
    ['Last upload', toFactTime(received_at)],
    ['Lines', toCount(lines)],
    ['Earlier lines', erased_at === null ? undefined : html`erased on ${toExactTime(erased_at)}`],
    [
      'Subagents',
      subagents.length === 0 ? undefined : html`${subagents.map((one, at) => toSubagentLink(list, one, at))}`,
    ],
  ])
}

function toSubagentLink(list: string, { id, title, session_id }: Session, at: number): Html {
  return html`${at === 0 ? '' : ', '}<a href="${list}/${id}"><bdi>${title ?? session_id}</bdi></a>`
}

function toErase({ at, subagents }: TranscriptPage): Html {
  const what = subagents.length === 0 ? 'this session' : `this session and its ${countOf(subagents.length, 'subagent')}`
  return html`<p>Erasing ${what} is final: nobody can bring it back. The files on your machine stay, and are not uploaded again.</p>
<div class="row">${toButton(`${at}/erase`, 'Erase for good', { look: 'danger' })}</div>`
}

function toLines(page: TranscriptPage): Html {
  const { at, entries, from, next, all } = page
  const wider = all
    ? html`<a href="${toQueryPath(at, { from: String(from) })}">Only the conversation</a>`
    : html`<a href="${toQueryPath(at, { from: String(from), all: 'yes' })}">Every line</a>`
  const beginning = from > 1 ? html`<a href="${toQueryPath(at, { all })}">From the beginning</a>` : undefined
  const more = next === undefined ? undefined : toQueryPath(at, { from: String(next), all })
  return html`<p class="meta">${beginning}${wider}</p>
${entries.length === 0 ? html`<p class="nothing">${toNothing(all, next)}</p>` : toChoice(page)}
${toPageLink(more, 'More')}`
}

const toNothing = (all: TranscriptPage['all'], next: number | undefined) =>
  next === undefined
    ? all
      ? 'No line here.'
      : 'No line here is part of the conversation.'
    : 'Nothing of the conversation in these lines.'

/** The lines as a form; selected ones are posted to the page where they become a record. */
function toChoice({ at, entries, from, all }: TranscriptPage): Html {
  return html`<form method="get" action="${at}/remember">${toHiddenFields({ from: String(from), all })}
<ol class="transcript">${entries}</ol>
<div class="chosen"><p class="quiet">Choose lines to make a record of them.</p><button class="main">New record of the chosen lines</button></div>
</form>`
}

/** Number of lines of context shown before a hit. */
const LEAD_LINES = 3

function toHits({ at, query, all }: TranscriptPage, { hits, next }: Pick<Hits, 'hits' | 'next'>): Html {
  const items = hits.map(
    ({ line, role, before, match, after }) => html`<li><article class="record">
<h3><a href="${toQueryPath(at, { from: String(Math.max(1, line - LEAD_LINES)), all })}#l${line}">Line ${line}</a> · ${toRoleName(role)}</h3>
<p class="content" dir="auto">${before}<mark>${match}</mark>${after}</p>
</article></li>
`,
  )
  const found =
    hits.length === 0 ? 'Nothing found' : `${countOf(hits.length, 'line')}${next === undefined ? '' : ' so far'}`
  const more = next === undefined ? undefined : toQueryPath(at, { q: query, from: String(next), all })
  return html`<h2>${found}</h2>
${hits.length === 0 && next === undefined ? html`<p class="nothing">No line of this session has this text.</p>` : html`<ul class="records">${items}</ul>`}
${toPageLink(more, 'More')}`
}

/** One complete line. */
export function toWholeLine({ at, session, line }: { at: string; session: Session; line: TranscriptLine }): Html {
  const { title, session_id } = session
  return html`<p class="back"><a href="${toQueryPath(at, { from: String(line.line) })}#l${line.line}"><bdi>${title ?? session_id}</bdi></a></p>
<h1>Line ${line.line}</h1>
<p class="meta"><strong>${toRoleName(line.role)}</strong>${line.tool && html`<code>${line.tool}</code>`}${line.at === null ? undefined : toLineTime(line.at)}</p>
<pre class="said" dir="auto">${line.text}</pre>
${line.cut === true ? html`<p class="quiet">It goes on. The export has all of it.</p>` : undefined}`
}
