import type { AppContext } from '../../../account/context.ts'
import { createLru, type Lru } from '../../../cache/lru.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { Visible } from '../../../store/record.ts'
import { eachSlice } from '../slices.ts'
import type { Viewer } from './record-filter.ts'

/** Records are counted up to this number, which pages show as "99+". */
export const MAX_COUNTED_TO_REVIEW = 100

/**
 * Numbers of records that wait for review. Key: project, its version, and the viewer's audiences. Invalidated by a
 * change of the project.
 */
export type ReviewCounts = Lru<string, number>

const MAX_ENTRIES = 1_000

export const createReviewCounts = (): ReviewCounts => createLru({ maxEntries: MAX_ENTRIES })

/**
 * How many records a viewer may review, up to 100: unverified ones, and verified ones that an assistant forgot. May be
 * 0 if a few among very many wait.
 */
export async function countToReview(
  { store, reviewCounts }: AppContext & { reviewCounts: ReviewCounts },
  { projectId, visible }: Viewer,
): Promise<number> {
  const project = store.project(projectId)
  const key = `${projectId} ${await project.version()} ${visible?.join(' ')}`
  const known = reviewCounts.get(key)
  if (known !== undefined) return known
  const unverified = await project.selectLatest({ visible, status: 'unverified' }, MAX_COUNTED_TO_REVIEW)
  const forgotten = await project.listToReview(visible, 'forgotten', MAX_COUNTED_TO_REVIEW)
  const count = Math.min(MAX_COUNTED_TO_REVIEW, (unverified?.seqs.length ?? 0) + forgotten.length)
  reviewCounts.set(key, count)
  return count
}

/** How many visible contradictions there are between verified records and others, up to 100. */
export async function countContradictions(project: ProjectReads, visible: Visible): Promise<number> {
  let count = 0
  for await (const { conflicts } of eachSlice((beforeSeq?: number) =>
    project.listConflictsSlice({ visible, beforeSeq }),
  )) {
    count += conflicts.length
    if (count >= MAX_COUNTED_TO_REVIEW) break
  }
  return Math.min(MAX_COUNTED_TO_REVIEW, count)
}
