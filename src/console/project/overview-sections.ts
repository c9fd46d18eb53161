import { isOperatingMember } from '../../account/auth/actor.ts'
import { DAY_MS } from '../../clock.ts'
import { findLastBackup } from '../../maintenance/back-up-in-folder.ts'
import type { PresentOverview } from '../../memory/overview/read-overview.ts'
import type { Key } from '../../store/account.ts'
import { type DayBar, type Series, toBarChart } from '../markup/chart.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, numeric, toCountedHeading, toTable } from '../markup/table.ts'
import { BACKUPS_PATH } from '../operator/backups.ts'
import type { ProjectRequest } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { toSourceBar, toSourcePath } from '../records/sources.ts'

/** Something that waits for a person, and the page where it is done. */
type NextStep = { text: string; path: string }

const MAX_BACKUP_AGE_MS = 7 * DAY_MS

/** What to do next, the most urgent first: at most three lines, none if nothing waits. */
export async function toNextSteps(req: ProjectRequest, { numbers }: PresentOverview): Promise<Html | undefined> {
  const { service, project, path } = req
  const contradictions = numbers?.contradictions ?? 0
  const questions = project.keepsQuestions ? await service.store.project(project.id).countQuestions() : 0
  const steps: NextStep[] = []
  if (await isBackupOverdue(req)) steps.push({ text: 'No backup was made in the last seven days', path: BACKUPS_PATH })
  if (contradictions > 0)
    steps.push({
      text: `${countOf(contradictions, 'contradiction')} to resolve`,
      path: `${path}/review?kind=contradictions`,
    })
  if (questions > 0) steps.push({ text: countOf(questions, 'unanswered question'), path: `${path}/calls/unanswered` })
  if (steps.length === 0) return undefined
  const items = steps.map(({ text, path }) => html`<li><a href="${path}">${text}</a></li>\n`)
  return html`<section class="next"><h2>What to do next</h2><ul>${items}</ul></section>`
}

/** Whether the visitor may make backups, and none was made for a week. */
async function isBackupOverdue({ service, visitor }: ProjectRequest): Promise<boolean> {
  const { config, clock, store } = service
  if (config.databaseUrl !== undefined || !(await isOperatingMember(store.control, visitor))) return false
  const last = findLastBackup(service)?.madeAt ?? visitor.account.createdAt
  return clock.now() - last > MAX_BACKUP_AGE_MS
}

/** The part of an overview that is available once records are counted. */
export type Numbers = NonNullable<PresentOverview['numbers']>

const STATUSES: Series[] = [
  { name: 'verified', look: 'verified' },
  { name: 'unverified', look: 'unverified' },
  { name: 'superseded', look: 'superseded' },
]

const toIsoDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Records by the day of their last save; each bar links to the records of the day. */
export function toSavedChart(path: string, { saved, savedBefore }: Numbers): Html {
  const bars = saved.map(({ day, verified, unverified, superseded }): DayBar => {
    const date = toIsoDate(day)
    return { day, values: [verified, unverified, superseded], href: `${path}/records?since=${date}&until=${date}` }
  })
  return toBarChart({ title: 'Records by day', series: STATUSES, bars, noun: 'record', before: savedBefore })
}

/** Tools with a colour of their own. */
const MAX_TOOLS = 4

type ToolUse = { tool: string; calls: number; errors: number }

/** Calls of all days by tool, the most called first. */
function sumByTool(calls: Numbers['calls']): ToolUse[] {
  const tools = new Map<string, ToolUse>()
  for (const { tool, calls: some, errors } of calls) {
    const known = tools.get(tool) ?? { tool, calls: 0, errors: 0 }
    tools.set(tool, { tool, calls: known.calls + some, errors: known.errors + errors })
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
}

/** Successful calls by tool and, stacked above, refused and failed calls of all tools. */
export function toCallsChart(
  path: string,
  { fromDay, period }: PresentOverview,
  { calls, callsBefore }: Numbers,
): Html {
  const tools = sumByTool(calls).map(({ tool }) => tool)
  const named = tools.slice(0, MAX_TOOLS)
  const series: Series[] = [
    ...named.map((name, at): Series => ({ name, look: `tool-${at + 1}` })),
    ...(tools.length > MAX_TOOLS ? [{ name: 'other tools', look: 'tool-other' }] : []),
    { name: 'errors', look: 'error', hrefOf: (day) => `${path}/calls?since=${toIsoDate(day)}&until=${toIsoDate(day)}` },
  ]
  const days = new Map(Array.from({ length: period }, (_, at) => [fromDay + at, series.map(() => 0)]))
  for (const { day, tool, calls: some, errors } of calls) {
    const values = days.get(day)
    if (values === undefined) continue
    const at = named.includes(tool) ? named.indexOf(tool) : MAX_TOOLS
    values[at] = (values[at] ?? 0) + some - errors
    values[series.length - 1] = (values[series.length - 1] ?? 0) + errors
  }
  const bars = [...days].map(([day, values]): DayBar => ({ day, values }))
  return toBarChart({ title: 'Calls by day', series, bars, noun: 'call', before: callsBefore })
}

export function toTools(path: string, { calls }: Numbers): Html {
  const rows = sumByTool(calls).map(({ tool, calls: all, errors }) => [
    html`<code>${tool}</code>`,
    toCount(all),
    errors === 0 ? '0' : html`<a href="${toQueryPath(`${path}/calls`, { tool })}">${toCount(errors)}</a>`,
  ])
  const list = toTable('Calls by tool', ['Tool', numeric('Calls'), numeric('Errors')], rows, 'No calls in this period.')
  return html`<section>${toCountedHeading('Tools', rows.length)}${list}</section>`
}

export function toSources(path: string, { sources, sourceCount }: Numbers): Html {
  const rows = sources.map((source) => [
    html`<a href="${toSourcePath(path, source)}"><bdi>${source.sourceId}</bdi></a>`,
    toSourceBar(source),
  ])
  const list = toTable('Largest sources', [long('Source'), 'Fresh and stale'], rows, 'No record has a source yet.')
  return html`<section>${toCountedHeading(html`<a href="${path}/sources">Largest sources</a>`, sourceCount)}${list}</section>`
}

export function toAuthors(path: string, { authors, authorCount }: Numbers): Html {
  const rows = authors.map(({ name, records }) => [
    html`<a href="${toQueryPath(`${path}/records`, { author: name })}"><bdi>${name}</bdi></a>`,
    toCount(records),
  ])
  const list = toTable(
    'Authors in this period',
    [long('Author'), numeric('Records')],
    rows,
    'Nothing was saved in this period.',
  )
  return html`<section>${toCountedHeading('Authors', authorCount)}${list}</section>`
}

export function toKeys(path: string, { keys, keyCount }: PresentOverview, memberNames: Map<string, string>): Html {
  const rows = keys.map((key) => [
    html`<a href="${path}/keys/${key.id}"><bdi>${key.label}</bdi></a><small class="under">${toMemberName(key, memberNames)}</small>`,
    toTime(key.lastUsedAt, 'never'),
  ])
  const list = toTable('Keys by last use', [long('Key'), 'Last used'], rows, 'No keys yet.')
  return html`<section>${toCountedHeading(html`<a href="${path}/keys">Keys by last use</a>`, keyCount)}${list}</section>`
}

const toMemberName = ({ memberId }: Key, memberNames: Map<string, string>): string =>
  memberId === null ? 'service key' : (memberNames.get(memberId) ?? '')
