import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import { type ListArguments, listRecords, listTrash, type TrashArguments } from '../lists/list-records.ts'
import type { Viewer } from '../lists/record-filter.ts'
import { eachSlice } from '../slices.ts'
import { shorten } from '../text-argument.ts'
import { MAX_BULK_RECORDS } from './bulk.ts'
import { eachSourceSlice, type SourceRecords } from './source-records.ts'

/** Records read at a time to list their ids. */
const PAGE_RECORDS = 100

/**
 * The ids of all records that a list would show, at most one more than an operation can change. Throws as `listRecords`
 * does.
 */
export function listFilteredIds(ctx: AppContext, viewer: Viewer, args: ListArguments): Promise<string[]> {
  return collectIds((before) => listRecords(ctx, viewer, { ...args, before, limit: PAGE_RECORDS }))
}

/**
 * The ids of the records of a source; without a limit, at most one more than an operation can change.
 *
 * @throws Refusal if there are none, and for a workspace that is not active.
 */
export async function listSourceIds(
  { store, clock }: AppContext,
  viewer: Viewer,
  of: SourceRecords,
  limit = MAX_BULK_RECORDS + 1,
): Promise<string[]> {
  const ids: string[] = []
  const slices = eachSourceSlice(store.project(viewer.projectId), viewer.visible, of, clock.now())
  for await (const { heads } of slices) {
    ids.push(...heads.map(({ id }) => id))
    if (ids.length >= limit) break
  }
  if (ids.length > 0) return ids.slice(0, limit)
  throw new Refusal(`no ${of.stale ? 'stale ' : ''}records of source '${shorten(of.sourceId)}'`)
}

/** The ids of all records that the trash would show, at most one more than an operation can change. */
export function listTrashIds(ctx: AppContext, viewer: Viewer, args: TrashArguments = {}): Promise<string[]> {
  return collectIds((before) => listTrash(ctx, viewer, { ...args, before, limit: PAGE_RECORDS }))
}

type Page = { records: { id: string }[]; older: string | undefined }

async function collectIds(readPage: (before: string | undefined) => Promise<Page>): Promise<string[]> {
  const ids: string[] = []
  const readSlice = async (before: string | undefined) => {
    const { records, older: next } = await readPage(before)
    return { records, next }
  }
  for await (const { records } of eachSlice(readSlice)) {
    ids.push(...records.map(({ id }) => id))
    if (ids.length > MAX_BULK_RECORDS) break
  }
  return ids
}
