import { COMMAND_LINE } from '../account/auth/actor.ts'
import { DAY_MS, toIsoTimeOrNull } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { type Overview, PERIODS, readOverview } from '../memory/overview/read-overview.ts'
import { onProject } from './service-command.ts'
import { toListing, toOneLine, toSize, toTable } from './terminal/text.ts'

export const usageCommand = onProject('usage', 'show how a project is used, by everybody', {
  options: { '--days <days>': { help: 'number of days up to today', choices: PERIODS.map(String), default: '30' } },
  act: async (service, { id: projectId }, { days }) => {
    const period = PERIODS.find((one) => String(one) === days)
    if (period === undefined) throw new Refusal(`--days must be one of ${PERIODS.join(', ')}`)
    return toJson(await readOverview(service, COMMAND_LINE, { projectId, period }))
  },
  toText: (usage) => toTexts(usage).join('\n\n'),
})

type Usage = ReturnType<typeof toJson>

/**
 * The JSON output: days are dates, and calls of the last 60 seconds are left out, since only the running service counts
 * them.
 */
function toJson({ period, quotas, records, keys, toReview, rejected, numbers }: Overview) {
  return {
    days: period,
    records,
    stale: numbers.stale,
    to_review: toReview,
    contradictions: numbers.contradictions,
    rejected_in_7_days: rejected,
    limits: quotas && {
      records: quotas.records,
      content_bytes: quotas.contentBytes,
      calls_in_60_s: quotas.calls.limit,
    },
    records_by_day: numbers.saved.map(({ day, ...counts }) => ({ day: toDate(day), ...counts })),
    calls_by_day: numbers.calls.map(({ day, ...counted }) => ({ day: toDate(day), ...counted })),
    sources: numbers.sources.map(({ workspace, sourceId, records, stale, hash, savedAt }) => ({
      workspace,
      source_id: sourceId,
      records,
      fresh: records - stale,
      stale,
      hash: hash ?? null,
      saved_at: toIsoTimeOrNull(savedAt),
    })),
    authors: numbers.authors,
    keys: keys.map(({ id, label, lastUsedAt }) => ({ id, label, last_used_at: toIsoTimeOrNull(lastUsedAt) })),
  }
}

const toDate = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

function toTexts(usage: Usage): string[] {
  return [toTotals(usage), toSavedByDay(usage), toCallsByDay(usage), toSources(usage), toAuthors(usage), toKeys(usage)]
}

function toTotals({ limits, ...usage }: Usage): string {
  const rows = [
    ['records', String(usage.records)],
    ['stale', String(usage.stale)],
    ['to review', String(usage.to_review)],
    ['contradictions', String(usage.contradictions)],
    ['rejected in 7 days', String(usage.rejected_in_7_days)],
    ['records of the plan', limits === undefined ? '-' : `${limits.records.used} of ${limits.records.limit}`],
    [
      'size of the plan',
      limits === undefined ? '-' : `${toSize(limits.content_bytes.used)} of ${toSize(limits.content_bytes.limit)}`,
    ],
  ]
  return toTable(['NOW', 'NUMBER'], rows, 'none')
}

function toSavedByDay({ days, records_by_day: all }: Usage): string {
  const rows = all
    .filter(({ unverified, verified, superseded }) => unverified + verified + superseded > 0)
    .map(({ day, unverified, verified, superseded }) => [day, ...[unverified, verified, superseded].map(String)])
  return toTable([`DAY (OF ${days})`, 'UNVERIFIED', 'VERIFIED', 'SUPERSEDED'], rows, 'no records in these days')
}

function toCallsByDay({ calls_by_day: all }: Usage): string {
  return toListing(all, { DAY: 'day', TOOL: 'tool', CALLS: 'calls', ERRORS: 'errors' }, 'no calls in these days')
}

function toSources({ sources }: Usage): string {
  const source = (one: Usage['sources'][number]) => toOneLine(one.source_id)
  return toListing(
    sources,
    { SOURCE: source, WORKSPACE: 'workspace', FRESH: 'fresh', STALE: 'stale', SAVED: 'saved_at' },
    'no sources',
  )
}

function toAuthors({ authors }: Usage): string {
  return toListing(authors, { AUTHOR: ({ name }) => toOneLine(name), RECORDS: 'records' }, 'no authors in these days')
}

function toKeys({ keys }: Usage): string {
  return toListing(keys, { KEY: ({ label }) => toOneLine(label), 'LAST USED': 'last_used_at', ID: 'id' }, 'no keys')
}
