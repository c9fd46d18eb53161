import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { limitsOf } from '../../../account/limits/plan.ts'
import { bytesOf, joinPhrases, type StoredRecord } from '../../../store/record.ts'
import { type Memory, placeOf } from '../../authorize-memory.ts'
import { passText } from '../../rejections/pass-credentials.ts'
import { passGuard } from '../../rejections/pass-guard.ts'
import { toEntryInSlices } from '../../search/index/index-entry.ts'
import { requireCurrent } from '../verify.ts'
import { requireRoom } from './room.ts'

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
