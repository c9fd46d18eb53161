import type { Static } from 'typebox'
import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { limitsOf } from '../../../account/limits/plan.ts'
import { Refusal, StorageRefusal } from '../../../errors.ts'
import { bytesOf, joinPhrases, type StoredRecord } from '../../../store/record.ts'
import { passText } from '../../rejections/pass-credentials.ts'
import { passGuard } from '../../rejections/pass-guard.ts'
import { toEntryInSlices } from '../../search/index/index-entry.ts'
import { authorizeMemory, type Memory, placeOf } from '../../visibility.ts'
import { requireCurrent, verifyRecord } from '../verify.ts'
import type { RememberArguments } from './draft.ts'
import { rememberRecord } from './remember.ts'
import { requireRoom } from './room.ts'

/**
 * A record written by a person. With `confirm` it is verified at once; `seen` has the ids of the current rivals that
 * the person was shown.
 */
type HandwrittenRecord = Static<typeof RememberArguments> & { projectId: string; confirm: boolean; seen?: string[] }

/**
 * `created` is false if the record already existed. `isContested`: it was to be verified and was not, because of a
 * rival that the person was not shown.
 */
export type SavedByHand = { id: string; created: boolean; isContested: boolean }

/**
 * Saves a record that a person wrote, as `rememberRecord` does, and verifies it if they confirm it.
 *
 * @throws Refusal as `rememberRecord` does.
 */
export async function saveByHand(
  ctx: AppContext,
  actor: Actor,
  { confirm, seen = [], ...args }: HandwrittenRecord,
): Promise<SavedByHand> {
  const { projectId } = args
  // Before the save, so that nothing comes between it and its audit event.
  const place = placeOf(await authorizeMemory(ctx, actor, projectId, 'write'))
  const { id, created, status } = await rememberRecord(ctx, actor, args)
  await recordEventAlone(ctx, actor, { act: 'record.write', ...place, target: id, details: { created } })
  const isToVerify = confirm && status !== 'verified'
  return { id, created, isContested: isToVerify && !(await isVerifiedNow(ctx, actor, { projectId, id, seen })) }
}

/**
 * Verifies a record that was just saved, unless it has a rival that the person was not shown. Returns whether it did.
 */
async function isVerifiedNow(
  ctx: AppContext,
  actor: Actor,
  input: { projectId: string; id: string; seen: string[] },
): Promise<boolean> {
  try {
    await verifyRecord(ctx, actor, input)
    return true
  } catch (error) {
    if (error instanceof Refusal && !(error instanceof StorageRefusal)) return false
    throw error
  }
}

/**
 * Replaces the phrases of a current record, whose content stays.
 *
 * @throws Refusal for a record that is not current any more, for phrases that contain a credential or that the guard
 *   rejects, and if the project is full.
 */
export async function replacePhrases(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  record: StoredRecord,
  phrases: string[],
): Promise<void> {
  const passed: string[] = []
  for (const text of phrases)
    passed.push(await passText(ctx, actor, memory, { name: 'asked_as', field: 'asked_as', text }))
  const texts = { content: record.content, askedAs: joinPhrases(passed) }
  const isMarked = await passGuard(ctx, actor, memory, { ...record, ...texts })
  const entry = await toEntryInSlices(texts)
  await memory.records.write(async (tx) => {
    const present = await requireCurrent(tx, memory.visible, record.id)
    await requireRoom(tx, { records: 0, contentBytes: bytesOf(texts) - bytesOf(present) }, limitsOf(memory.account))
    await tx.updateRecord(present.id, { askedAs: texts.askedAs, ...(isMarked && { marked: true }) })
    await tx.replaceEntry(present, entry)
  })
  await recordEventAlone(ctx, actor, {
    act: 'record.write',
    ...placeOf(memory),
    target: record.id,
    details: { created: false },
  })
}
