import type { Limits } from '../../../account/limits/plan.ts'
import { Refusal } from '../../../errors.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../../store/project.ts'
import { bytesOf, type NewRecord, type RecordHead, type StoredRecord, type Visible } from '../../../store/record.ts'
import { openWorkspace } from '../../workspaces/workspace.ts'
import type { Draft } from './draft.ts'
import {
  ANY_STATUS,
  listRivals,
  MAX_SETTLED_AT_ONCE,
  type MetRivals,
  readRivals,
  supersedeRest,
  supersedeSome,
  UNVERIFIED,
} from './rivals.ts'
import { requireRoom } from './room.ts'
import { type SavedAgain, saveAgain } from './save-again.ts'

/**
 * Result of a save: the record that was created or already existed, and the name of its workspace; whether an existing
 * one got a new source hash; the rivals that were superseded; verified rivals that contradict it; and how many records
 * of its source became stale.
 */
export type Saved = {
  record: StoredRecord
  workspace: string
  created: boolean
  refreshed: boolean
  superseded: MetRivals
  conflicts: MetRivals
  madeStale: number
}

/**
 * Saves in a write of its own; if there are very many rivals, most are superseded in further writes. Staleness is
 * judged by the `visible` records. `seen` is given for a correction: the id of the record that it corrects, and of its
 * other current rivals that the person was shown.
 *
 * @throws Refusal as `save` does.
 */
export async function saveDraft(
  project: ProjectStore,
  visible: Visible,
  draft: Draft,
  limits: Limits,
  seen?: string[],
): Promise<Saved> {
  const {
    superseded: begun,
    outdated,
    hashBefore,
    ...saved
  } = await project.write((tx) => save(tx, visible, draft, limits, seen), [draft])
  const superseded = await supersedeRest(project, saved.record, UNVERIFIED, begun)
  const wasFresh = ({ sourceId, sourceHash, expiresAt }: RecordHead) =>
    sourceId !== null &&
    sourceId === draft.sourceId &&
    (sourceHash === null || sourceHash === hashBefore) &&
    (expiresAt === null || expiresAt > draft.createdAt)
  return { ...saved, superseded, madeStale: outdated + superseded.heads.filter(wasFresh).length }
}

/**
 * Saves inside a write. If an identical record is live, that one is used and no second one is created. A given fact key
 * supersedes its rivals: at most `MAX_SETTLED_AT_ONCE` of them here, the remaining ones by `supersedeRest` or, in an
 * import, by `supersedeEarlier` after the write.
 *
 * @throws Refusal if the workspace cannot be created or the project is full, and if rivals are not those that were seen.
 */
export async function save(
  tx: ProjectWrites,
  visible: Visible,
  { workspace: name, ...draft }: Draft,
  limits: Limits,
  seen?: string[],
) {
  const workspace = await openWorkspace(tx, visible, name, draft.createdAt, limits)
  const record: NewRecord = { ...draft, workspaceId: workspace.id }
  const hashBefore = await findHash(tx, visible, record)
  const same = await tx.findSame(record, record.createdAt)
  const { isCurrentState, ...saved } =
    same === undefined ? await saveNew(tx, record, limits, seen) : await saveAgain(tx, same, record, limits)
  const outdated = isCurrentState ? await makeCurrent(tx, visible, record, hashBefore) : 0
  return {
    ...saved,
    workspace: workspace.name,
    hashBefore,
    outdated,
    conflicts: await readRivals(tx, saved.record, 'verified'),
  }
}

async function saveNew(
  tx: ProjectWrites,
  record: NewRecord,
  limits: Limits,
  seen: string[] | undefined,
): Promise<SavedAgain & { created: boolean }> {
  if (seen !== undefined) await requireSeen(tx, record, seen)
  await requireRoom(tx, { records: 1, contentBytes: bytesOf(record) }, limits)
  const superseded = await supersedeSome(tx, record, UNVERIFIED)
  return { record: await tx.insertRecord(record), created: true, refreshed: false, isCurrentState: true, superseded }
}

/** Inside the write: of two who correct a record at once, the later one has not seen the correction of the first. */
async function requireSeen(tx: ProjectWrites, record: NewRecord, [corrected = '', ...others]: string[]): Promise<void> {
  const rivals = await listRivals(tx, record, ANY_STATUS, MAX_SETTLED_AT_ONCE + 2)
  const unseen = new Set(rivals.map(({ id }) => id)).difference(new Set(others))
  if (unseen.delete(corrected) && unseen.size === 0) return
  throw new Refusal(
    'another record of its fact key was saved since this page was made, or this one was moved; look again and save',
  )
}

async function findHash(reads: ProjectReads, visible: Visible, { workspaceId, sourceId }: NewRecord) {
  return sourceId === null ? undefined : (await reads.findCurrentHashes(visible, [{ workspaceId, sourceId }]))[0]
}

/** Records are counted up to this number. */
const MAX_COUNTED = 50_000

/**
 * Makes the record's source hash the current one of its source. Returns how many of the visible records with the
 * previous hash are stale now.
 */
async function makeCurrent(
  tx: ProjectWrites,
  visible: Visible,
  record: NewRecord,
  hashBefore: string | undefined,
): Promise<number> {
  const { workspaceId, sourceId, sourceHash, audience, createdAt } = record
  if (sourceId === null || sourceHash === null) return 0
  await tx.saveSourceState({ workspaceId, sourceId, audience }, { hash: sourceHash, at: createdAt })
  if (hashBefore === undefined || hashBefore === sourceHash) return 0
  return tx.countInState({ visible, workspaceId, sourceId, hash: hashBefore }, createdAt, MAX_COUNTED)
}
