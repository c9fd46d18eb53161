import { mayManage } from '../../account/auth/actor.ts'
import { viewerOf } from '../../memory/records/lists/list-records.ts'
import { REVIEW_KINDS, type Review, review } from '../../memory/records/lists/review.ts'
import { countToReview } from '../../memory/records/lists/review-count.ts'
import { listReleases } from '../../memory/rejections/visible-releases.ts'
import type { StoredRecord } from '../../store/record.ts'
import { diffWords } from '../../text/word-diff.ts'
import { readFiltered } from '../form.ts'
import { toOptions } from '../markup/form.ts'
import { html } from '../markup/html.ts'
import { type Filter, toChips, toFilterFold } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { readQuery, toPageLink, toQueryPath } from '../paging.ts'
import { readSuggestions, SUGGESTION_FORMS } from '../sessions/suggestions.ts'
import { type Pair, type Queue, type Reviewed, toQueue } from './review-queue.ts'

/** The page of what waits for review in a project. */
export const reviewPage = pageOf(openForReading, {
  path: '/console/projects/:project/review',
  show: showReview,
  forms: SUGGESTION_FORMS,
})

const NOTHING: Review = {
  forgotten: [],
  marked: [],
  conflicts: [],
  counts: { forgotten: 0, marked: 0, conflicts: 0 },
  unverified: { records: [], older: undefined },
  rivals: new Map(),
}

const KIND_OPTIONS = toOptions({
  '': 'everything',
  forgotten: 'verified, and forgotten by an assistant',
  contradictions: 'contradictions',
  marked: 'marked by the guard',
  guard: 'refused by the guard',
  suggestions: 'from your sessions',
  unverified: 'unverified',
})

/** The filter values of the review, empty for none. */
type Query = Record<'kind' | 'workspace' | 'source' | 'author' | 'before', string>

function toFilters({ kind, workspace, source, author }: Query): Filter[] {
  return [
    { name: 'kind', label: 'Show', chip: 'Kind', value: kind, options: KIND_OPTIONS },
    { name: 'workspace', label: 'Workspace', value: workspace, maxlength: 64 },
    { name: 'source', label: 'Source', value: source, maxlength: 512 },
    { name: 'author', label: 'Author', value: author, maxlength: 200 },
  ]
}

async function showReview(req: MemoryRequest): Promise<PageContent> {
  const { at, path, url } = req
  const query = readQuery(url.searchParams, ['kind', 'workspace', 'author', 'before', 'source'])
  const filters = toFilters(query)
  const { found, refused } = await readFiltered(() => readReview(req, query))
  const isNarrowed = filters.some(({ value }) => value !== '')
  const older = found?.unverified.older && toQueryPath(at, { ...query, before: found.unverified.older })
  const body = html`<form method="get" action="${at}" class="search head"><h1>Review</h1>
${toFilterFold(filters)}</form>
${toChips(at, filters)}
<div id="queue" data-events="${path}/events">
${found && toQueue({ path, back: toQueryPath(at, query), ...(await toLists(req, found)), unverifiedCount: isNarrowed ? undefined : await countUnverified(req), waitingTexts: await countTexts(req, query.kind), suggestions: isOfSuggestions(query) ? await readSuggestions(req) : [] })}
${toPageLink(older, 'Older')}
</div>
<div class="unsettled"><div id="refused" role="alert"></div><div id="unsent" role="status"></div></div>`
  return { title: 'Review', body, isCounted: true, refused }
}

/** The records that match the filters. */
async function readReview(
  { service, caller }: MemoryRequest,
  { kind, workspace, source, author, before }: Query,
): Promise<Review> {
  if (kind === 'guard' || kind === 'suggestions') return NOTHING
  return review(service, caller, {
    kind: REVIEW_KINDS.find((one) => one === kind),
    ...(workspace && { workspace }),
    ...(source && { source_id: source }),
    ...(author && { author }),
    before: before || undefined,
  })
}

async function toLists(
  { prepareShown }: MemoryRequest,
  found: Review,
): Promise<Omit<Queue, 'path' | 'back' | 'waitingTexts' | 'unverifiedCount' | 'suggestions'>> {
  const { forgotten, conflicts, marked, counts, unverified, rivals } = found
  const ofConflicts = conflicts.flatMap(({ verified, other }) => [verified, other])
  const toShown = await prepareShown([...forgotten, ...ofConflicts, ...marked, ...unverified.records])
  const toReviewed = (record: StoredRecord): Reviewed => {
    return { record: toShown(record), rivals: (rivals.get(record.id) ?? []).map(({ id }) => id) }
  }
  const pairs: Pair[] = []
  for (const { verified, other } of conflicts) {
    pairs.push({
      verified: toReviewed(verified),
      other: toReviewed(other),
      diff: await diffWords(verified.content, other.content),
    })
  }
  return {
    forgotten: forgotten.map(toShown),
    pairs,
    marked: marked.map(toReviewed),
    counts,
    unverified: unverified.records.map(toReviewed),
  }
}

async function countUnverified({ service, caller, memory }: MemoryRequest): Promise<number> {
  const viewer = viewerOf(caller)
  return (await countToReview(service, viewer)) - (await memory.countForgotten(viewer.visible, 'to review'))
}

/** Suggestions are shown on the first page of everything, or alone: they have no workspace, source or author. */
const isOfSuggestions = ({ kind, ...others }: Query) =>
  (kind === '' || kind === 'suggestions') && Object.values(others).every((value) => value === '')

/** The number of texts whose release waits for the visitor's decision; 0 for those who do not decide. */
async function countTexts({ service, visitor, project }: MemoryRequest, kind: string): Promise<number> {
  if (!mayManage(visitor.member) || (kind !== '' && kind !== 'guard')) return 0
  return (await listReleases(service, visitor, project.id, { offset: 0, limit: 1 })).waiting.length
}
