import type { Limits } from '../../../account/limits/plan.ts'
import type { ProjectReads, ProjectWrites } from '../../../store/project.ts'
import {
  bytesOf,
  joinPhrases,
  type NewRecord,
  phrasesOf,
  type RecordHead,
  type StoredRecord,
} from '../../../store/record.ts'
import type { RecordChange } from '../../../store/record-writes.ts'
import { withPhrases } from '../../search/index/index-entry.ts'
import { mergePhrases } from './draft.ts'
import { supersedeSome, UNVERIFIED } from './rivals.ts'
import { requireRoom } from './room.ts'

/** How long after a record was first saved under a source hash an identical save counts as a retry, in milliseconds. */
const RETRY_MS = 10 * 60_000

/** `isCurrentState`: the save states the present hash of its source, which a retry does not. */
export type SavedAgain = { record: StoredRecord; refreshed: boolean; isCurrentState: boolean; superseded: RecordHead[] }

/**
 * Handles, inside a write, the save of a record that already exists, as `same`. A different source hash replaces the
 * old one, and so does an expiry if the save has one; new phrases come before those that it has. A retry changes
 * nothing else. A fact key that was derived and is now given counts as given from now on, and supersedes its rivals.
 */
export async function saveAgain(
  tx: ProjectWrites,
  same: RecordHead,
  record: NewRecord,
  limits: Limits,
): Promise<SavedAgain & { created: boolean }> {
  const { content, sourceHash, expiresAt, factKeyGiven, createdAt: now } = record
  const isRetry = await isSavedLately(tx, same, record)
  const refreshed = !isRetry && sourceHash !== null && sourceHash !== same.sourceHash
  const isGivenNow = factKeyGiven && !same.factKeyGiven
  const change: RecordChange = {
    ...(expiresAt !== null && expiresAt !== same.expiresAt && { expiresAt }),
    ...(isGivenNow && { factKeyGiven }),
    ...(!isRetry && { refreshedAt: now }),
    ...(refreshed && { sourceHash }),
    ...(await addPhrases(tx, same, record, limits)),
  }
  if (refreshed) await noteStates(tx, same, sourceHash, now)
  if (Object.keys(change).length > 0) await tx.updateRecord(same.id, change)
  const saved = { ...same, ...change, content }
  const superseded = isGivenNow && same.status === 'unverified' ? await supersedeSome(tx, saved, UNVERIFIED) : []
  return { record: saved, created: false, refreshed, isCurrentState: !isRetry, superseded }
}

/** Adds the phrases of a save to those of its record, and to the index. */
async function addPhrases(
  tx: ProjectWrites,
  same: RecordHead,
  record: NewRecord,
  limits: Limits,
): Promise<RecordChange> {
  const [given, present] = [phrasesOf(record), phrasesOf(same)]
  const merged = mergePhrases(given, present)
  const askedAs = joinPhrases(merged)
  if (given.length === 0 || askedAs === same.askedAs) return {}
  const added = bytesOf({ ...record, askedAs }) - bytesOf({ ...record, askedAs: same.askedAs })
  await requireRoom(tx, { records: 0, contentBytes: added }, limits)
  await tx.replaceEntry(
    { ...same, content: record.content },
    withPhrases(
      record.entry,
      merged.filter((phrase) => !given.includes(phrase)),
    ),
  )
  return { askedAs, ...(record.marked && { marked: true }) }
}

async function isSavedLately(
  reads: ProjectReads,
  same: RecordHead,
  { sourceHash, createdAt: now }: NewRecord,
): Promise<boolean> {
  const recent = sourceHash === null ? undefined : await reads.findRecentState(same.id, sourceHash)
  const first = recent ?? (same.sourceHash === sourceHash ? same.createdAt : undefined)
  return first !== undefined && now - first <= RETRY_MS
}

/** Stores when the record was first saved under its new hash, and under the hash that this replaces. */
async function noteStates(
  tx: ProjectWrites,
  { id, sourceHash, createdAt }: RecordHead,
  newHash: string,
  now: number,
): Promise<void> {
  const since = now - RETRY_MS
  if (sourceHash !== null && createdAt >= since)
    await tx.saveRecentState(id, { hash: sourceHash, savedAt: createdAt, since })
  await tx.saveRecentState(id, { hash: newHash, savedAt: now, since })
}
