import type { AppContext } from '../../../account/context.ts'
import { createLru, type Lru } from '../../../cache/lru.ts'
import type { Viewer } from './record-filter.ts'

/**
 * Numbers of records that wait for review. Key: project, its version, and the viewer's audiences. Invalidated by a
 * change of the project.
 */
export type ReviewCounts = Lru<string, number>

const MAX_ENTRIES = 1_000

export const createReviewCounts = (): ReviewCounts => createLru({ maxEntries: MAX_ENTRIES })

/** How many records a viewer may review: unverified ones, and verified ones that an assistant forgot. */
export async function countToReview(
  { store, reviewCounts }: AppContext & { reviewCounts: ReviewCounts },
  { projectId, visible }: Viewer,
): Promise<number> {
  const project = store.project(projectId)
  const key = `${projectId} ${await project.version()} ${visible?.join(' ')}`
  const known = reviewCounts.get(key)
  if (known !== undefined) return known
  const { audiences } = await project.readIndexFacts(visible, undefined)
  const records = audiences.reduce((sum, one) => sum + one.records, 0)
  const unverified = Math.max(0, records - (await project.countSettled(visible)))
  const count = unverified + (await project.countForgotten(visible, 'to review'))
  reviewCounts.set(key, count)
  return count
}
