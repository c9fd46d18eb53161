import { DAY_MS } from '../../clock.ts'
import type { PresentOverview } from '../../memory/overview/read-overview.ts'
import { type DayBar, type Series, toBarChart } from '../markup/chart.ts'
import type { Html } from '../markup/html.ts'

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
export function sumByTool(calls: Numbers['calls']): ToolUse[] {
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
