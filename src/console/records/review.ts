import { mayManage } from '../../account/auth/authorize.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import { REVIEW_KINDS, type Review, review } from '../../memory/records/lists/review.ts'
import { listReleases } from '../../memory/rejections/visible-releases.ts'
import type { StoredRecord } from '../../store/record.ts'
import { diffWords } from '../../text/word-diff.ts'
import { toSentence } from '../markup/sentence.ts'
import { pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { type FormState, type MemoryRequest, openForReading, type ProjectMemory, toConsolePage } from '../request.ts'
import type { ReviewFilters } from './review-filters.ts'
import { type Pair, type Reviewed, type ReviewPage, toReview } from './review-queue.ts'

/** The page of what waits for review in a project. */
export const reviewPage = pageOf(openForReading, { path: '/console/projects/:project/review', show: showReview })

const NOTHING: Review = {
  forgotten: [],
  areMoreForgotten: false,
  marked: [],
  areMoreMarked: false,
  conflicts: [],
  more: false,
  unverified: { records: [], older: undefined },
  rivals: new Map(),
}

async function showReview(req: MemoryRequest, state: FormState): Promise<Response> {
  const { project, path } = req
  const section = `${path}/review`
  const filters = readFilters(req.url.searchParams)
  const before = req.url.searchParams.get('before') ?? undefined
  const { found, refusal } = await readReview(req, filters, before)
  const body = toReview({
    path,
    back: toQueryPath(section, { ...filters, before }),
    filters,
    error: refusal && toSentence(refusal.message),
    waitingTexts: await countTexts(req, filters),
    older: found.unverified.older && toQueryPath(section, { ...filters, before: found.unverified.older }),
    ...(await toLists(req, found)),
  })
  const refused = refusal && { error: refusal.message, field: refusal.field }
  return toConsolePage(req, refused ?? state, { title: 'Review', section, project, body, isCounted: true })
}

function readFilters(query: URLSearchParams): ReviewFilters {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  return { kind: text('kind'), workspace: text('workspace'), source: query.get('source') ?? '', author: text('author') }
}

/** The records that match the filters; if these were refused, nothing and the reason. */
async function readReview(req: MemoryRequest, filters: ReviewFilters, before: string | undefined) {
  const { kind, workspace, source, author } = filters
  if (kind === 'guard') return { found: NOTHING, refusal: undefined }
  const args = {
    kind: REVIEW_KINDS.find((one) => one === kind),
    ...(workspace && { workspace }),
    ...(source && { source_id: source }),
    ...(author && { author }),
    before,
  }
  try {
    return { found: await review(req.service, req.caller, args), refusal: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { found: NOTHING, refusal: error }
  }
}

type Lists = Pick<ReviewPage, 'forgotten' | 'areMoreForgotten' | 'pairs' | 'more' | 'marked' | 'areMoreMarked' | 'unverified'>

async function toLists({ prepareShown }: ProjectMemory, found: Review): Promise<Lists> {
  const { forgotten, areMoreForgotten, conflicts, more, marked, areMoreMarked, unverified, rivals } = found
  const ofConflicts = conflicts.flatMap(({ verified, other }) => [verified, other])
  const toShown = await prepareShown([...forgotten, ...ofConflicts, ...marked, ...unverified.records])
  const toReviewed = (record: StoredRecord): Reviewed => {
    return { record: toShown(record), rivals: (rivals.get(record.id) ?? []).map(({ id }) => id) }
  }
  const pairs: Pair[] = []
  for (const { verified, other } of conflicts) {
    await yieldIfDue()
    pairs.push({ verified: toReviewed(verified), other: toReviewed(other), diff: diffWords(verified.content, other.content) })
  }
  return {
    forgotten: forgotten.map(toShown),
    areMoreForgotten,
    pairs,
    more,
    marked: marked.map(toReviewed),
    areMoreMarked,
    unverified: unverified.records.map(toReviewed),
  }
}

/** The number of texts whose release waits for the visitor's decision; 0 for those who do not decide. */
async function countTexts({ service, visitor, project }: MemoryRequest, { kind }: ReviewFilters): Promise<number> {
  if (!mayManage(visitor.member) || (kind !== '' && kind !== 'guard')) return 0
  return (await listReleases(service, visitor, project.id, { offset: 0, limit: 1 })).waiting.length
}
