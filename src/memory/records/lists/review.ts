import type { Caller } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { Conflict, RecordHead, StoredRecord, Visible } from '../../../store/record.ts'
import { visibleTo } from '../../visibility.ts'
import { requireWorkspace } from '../../workspaces/workspace.ts'
import { ANY_STATUS, listRivals, MAX_SETTLED_AT_ONCE } from '../save/rivals.ts'
import { eachSlice } from '../slices.ts'
import { type ListArguments, listRecords, type RecordPage, viewerOf } from './list-records.ts'
import { toRecordFilter } from './record-filter.ts'

/**
 * Maximum number of contradictions, of verified records that an assistant forgot, and of marked records, on the review
 * page.
 */
const MAX_CONFLICTS = 20
const MAX_FORGOTTEN = 20
const MAX_MARKED = 20
/** Maximum number of either that are checked against a filter. */
const MAX_EXAMINED = 100

/** A verified record and a current rival of it. */
type Contradiction = { verified: StoredRecord; other: StoredRecord }

/**
 * What people are to review: verified records that an assistant forgot, contradictions, records that the guard marked,
 * and a page of unverified records. No record stands in two of the lists. `rivals` has at most `MAX_SETTLED_AT_ONCE`
 * rivals of each record that is not forgotten, by its id.
 */
export type Review = {
  forgotten: StoredRecord[]
  /** Those that the guard marked. */
  marked: StoredRecord[]
  conflicts: Contradiction[]
  /** How many of each there are, also beyond those shown; undefined if more are to be looked at than are. */
  counts: Record<'forgotten' | 'marked' | 'conflicts', number | undefined>
  unverified: RecordPage
  rivals: Map<string, RecordHead[]>
}

/**
 * Narrows the review to a kind, workspace, source or author. `before` is the last unverified record of the previous
 * page.
 */
type ReviewArguments = Pick<ListArguments, 'workspace' | 'source_id' | 'author' | 'before'> & {
  kind?: ReviewKind | undefined
}

export const REVIEW_KINDS = ['forgotten', 'contradictions', 'marked', 'unverified'] as const
type ReviewKind = (typeof REVIEW_KINDS)[number]

const NO_RECORDS: RecordPage = { records: [], older: undefined }

/**
 * What a caller may review, newest first.
 *
 * @throws Refusal for a workspace that is not active, and for a `before` that is no record the caller may see.
 */
export async function review(ctx: AppContext, caller: Caller, { kind, ...args }: ReviewArguments): Promise<Review> {
  const project = ctx.store.project(caller.projectId)
  const visible = visibleTo(caller)
  const passes = await toPredicate(ctx, caller, args)
  const isWanted = (one: ReviewKind) => kind === undefined || kind === one
  const isNarrowed = [args.workspace, args.source_id, args.author].some((value) => value !== undefined)
  const allForgotten = isWanted('forgotten') ? await project.listToReview(visible, 'forgotten', MAX_EXAMINED) : []
  const forgotten = allForgotten.filter(passes)
  const found = isWanted('contradictions') ? await findConflicts(project, visible) : { newest: [], count: 0 }
  const all = (await readConflicts(project, visible, found.newest)).filter(
    ({ verified, other }) => passes(verified) || passes(other),
  )
  const conflicts = all.slice(0, MAX_CONFLICTS)
  const page = isWanted('unverified')
    ? await listRecords(ctx, viewerOf(caller), { ...args, status: 'unverified' })
    : NO_RECORDS
  const contested = conflicts.flatMap(({ verified, other }) => [verified, other])
  const isContested = (record: StoredRecord) => contested.some(({ id }) => id === record.id)
  const allMarked = isWanted('marked') ? await project.listToReview(visible, 'marked', MAX_EXAMINED) : []
  const ofGuard = allMarked.filter((record) => passes(record) && !isContested(record))
  const marked = ofGuard.slice(0, MAX_MARKED)
  const isShown = (record: StoredRecord) => isContested(record) || marked.some(({ id }) => id === record.id)
  const unverified = { ...page, records: page.records.filter((record) => !isShown(record)) }
  const shown = [...contested, ...marked, ...unverified.records]
  const reads = shown.map(
    async (record) => [record.id, await listRivals(project, record, ANY_STATUS, MAX_SETTLED_AT_ONCE)] as const,
  )
  const rivals = new Map(await Promise.all(reads))
  const countForgotten = async () => (isNarrowed ? undefined : project.countForgotten(visible, 'to review'))
  return {
    forgotten: forgotten.slice(0, MAX_FORGOTTEN),
    marked,
    conflicts,
    counts: {
      forgotten: allForgotten.length < MAX_EXAMINED ? forgotten.length : await countForgotten(),
      marked: allMarked.length < MAX_EXAMINED ? ofGuard.length : undefined,
      conflicts: found.count <= MAX_EXAMINED ? all.length : isNarrowed ? undefined : found.count,
    },
    unverified,
    rivals,
  }
}

/** Returns the function that tells whether a record has the requested workspace, source and author. */
async function toPredicate(
  ctx: AppContext,
  caller: Caller,
  args: ReviewArguments,
): Promise<(record: StoredRecord) => boolean> {
  const viewer = viewerOf(caller)
  const { sourceId, authors } = await toRecordFilter(ctx, viewer, { source_id: args.source_id, author: args.author })
  const project = ctx.store.project(caller.projectId)
  const workspaceId =
    args.workspace === undefined ? undefined : (await requireWorkspace(project, viewer.visible, args.workspace)).id
  return (record) =>
    (sourceId === undefined || record.sourceId === sourceId) &&
    (authors?.includes(record.authorId) ?? true) &&
    (workspaceId === undefined || record.workspaceId === workspaceId)
}

/**
 * The `MAX_EXAMINED` visible contradictions between verified records and others with the newest other records, and how
 * many there are.
 */
export async function findConflicts(
  project: ProjectReads,
  visible: Visible,
): Promise<{ newest: Conflict[]; count: number }> {
  let newest: Conflict[] = []
  let count = 0
  for await (const { conflicts } of eachSlice((beforeSeq?: number) =>
    project.listConflictsSlice({ visible, beforeSeq }),
  )) {
    count += conflicts.length
    newest = [...newest, ...conflicts]
      .sort((a, b) => b.other - a.other || b.verified - a.verified)
      .slice(0, MAX_EXAMINED)
  }
  return { newest, count }
}

async function readConflicts(project: ProjectReads, visible: Visible, conflicts: Conflict[]): Promise<Contradiction[]> {
  const records = await readBySeq(
    project,
    visible,
    conflicts.flatMap(({ verified, other }) => [verified, other]),
  )
  return conflicts.flatMap((conflict) => {
    const [verified, other] = [records.get(conflict.verified), records.get(conflict.other)]
    return verified === undefined || other === undefined ? [] : [{ verified, other }]
  })
}

export async function readBySeq(
  project: ProjectReads,
  visible: Visible,
  seqs: number[],
): Promise<Map<number, StoredRecord>> {
  const records = await project.findRecordsBySeq(visible, [...new Set(seqs)])
  return new Map(records.map((record) => [record.seq, record]))
}
