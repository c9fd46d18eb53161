import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Reviewed, toReview } from '../../../console/project/review.ts'
import { review } from '../../../memory/records/review.ts'
import type { Service } from '../../../service.ts'
import type { StoredRecord } from '../../../store/record.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { openMemory } from './project-memory.ts'

/** The page of what waits for a person in a project. */
export function reviewPage(service: Service) {
  return new Elysia({ name: 'console/review' }).get('/console/projects/:project/review', page(service, showReview))
}

async function showReview(req: PageRequest, state: FormState): Promise<Response> {
  const { project, caller, path, prepareShown } = await openMemory(req, 'read')
  const before = req.url.searchParams.get('before') ?? undefined
  const { forgotten, areMoreForgotten, conflicts, more, unverified, rivals } = await review(req.service, caller, before)
  const toShown = await prepareShown([
    ...forgotten,
    ...conflicts.flatMap(({ verified, other }) => [verified, other]),
    ...unverified.records,
  ])
  const toReviewed = (record: StoredRecord): Reviewed => {
    return { record: toShown(record), rivals: (rivals.get(record.id) ?? []).map(({ id }) => id) }
  }
  const section = `${path}/review`
  const body = toReview({
    path,
    back: toQueryPath(section, { before }),
    forgotten: forgotten.map(toShown),
    areMoreForgotten,
    pairs: conflicts.map(({ verified, other }) => ({ verified: toReviewed(verified), other: toReviewed(other) })),
    more,
    unverified: unverified.records.map(toReviewed),
    older: unverified.older && toQueryPath(section, { before: unverified.older }),
  })
  return toConsolePage(req, state, { title: 'Review', section, project, body })
}
