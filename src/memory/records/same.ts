import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { RecordHead, SavedFields, StoredRecord } from '../../store/record.ts'
import { isOutdated } from './freshness.ts'

/** What is known of the records saved up to a number: which of them is the same save, if one is. */
export type Scanned = { upTo: number; same: RecordHead | undefined }

/** More records have one content than a write may look at. */
export class TooManyAlike extends Error {
  constructor(readonly said: SavedFields) {
    super('too many records have this content')
  }
}

/** Rows looked at in one turn of the event loop: with the longest contents they take some 2 ms. */
const EXAMINED = 32

/**
 * The record that already says this: a live one of the same author, source and fact key. With `scanned`, only records saved after that are looked at, and
 * few of them; without it all, which only a process that answers nobody else should do.
 * @throws TooManyAlike where `scanned` leaves too many
 */
export async function findSame(tx: ProjectReads, said: SavedFields, now: number, scanned?: Scanned): Promise<StoredRecord | undefined> {
  const known = scanned ?? { upTo: 0, same: undefined }
  for await (const { heads, isLast } of eachSame(tx, said, known.upTo)) {
    const live = heads.find((other) => !isOutdated(other, now))
    if (live !== undefined) return { ...live, content: said.content }
    if (scanned !== undefined && !isLast) throw new TooManyAlike(said)
  }
  const again = known.same === undefined ? undefined : await tx.findHead(undefined, known.same.id)
  return again === undefined || isOutdated(again, now) ? undefined : { ...again, content: said.content }
}

/** Every record that says this, of the same author, source and fact key; superseded and expired ones too, those saved last first. */
export async function listSame(tx: ProjectReads, said: SavedFields): Promise<RecordHead[]> {
  const found: RecordHead[] = []
  for await (const { heads } of eachSame(tx, said, 0)) found.push(...heads)
  return found
}

async function* eachSame(tx: ProjectReads, said: SavedFields, afterSeq: number): AsyncGenerator<{ heads: RecordHead[]; isLast: boolean }> {
  for (let beforeSeq: number | undefined, isLast = false; !isLast; ) {
    const slice: Awaited<ReturnType<ProjectReads['listSameSlice']>> = await tx.listSameSlice(said, {
      beforeSeq,
      afterSeq,
      examine: EXAMINED,
    })
    beforeSeq = slice.next
    isLast = slice.next === undefined
    yield { heads: slice.heads, isLast }
  }
}

/** Writes again after a scan at most so often: others may save the same content as fast as it is looked through. */
const MAX_SCANS = 5

/** A write that has to know whether a save is there already. Where very many records have its content, they are looked through before it, in slices. */
export async function writeKnowingSame<T>(
  project: ProjectStore,
  now: number,
  act: (tx: ProjectWrites, scanned: Scanned | undefined) => Promise<T>,
): Promise<T> {
  let scanned: Scanned = { upTo: 0, same: undefined }
  for (let scans = 0; scans < MAX_SCANS; scans++) {
    try {
      return await project.write((tx) => act(tx, scanned))
    } catch (error) {
      if (!(error instanceof TooManyAlike)) throw error
      scanned = await scan(project, error.said, now)
    }
  }
  return project.write((tx) => act(tx, undefined))
}

async function scan(project: ProjectStore, said: SavedFields, now: number): Promise<Scanned> {
  const upTo = await project.findLastSeq()
  for await (const { heads } of eachSame(project, said, 0)) {
    const same = heads.find((other) => !isOutdated(other, now))
    if (same !== undefined) return { upTo, same }
    await yieldIfDue()
  }
  return { upTo, same: undefined }
}
