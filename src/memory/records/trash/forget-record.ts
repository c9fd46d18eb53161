import type { ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { RecordHead } from '../../../store/record.ts'
import { type SettledHeirs, settleFurtherHeirs, settleHeirs } from '../save/heirs.ts'

/** A forgotten record as it was before, and the records that became current again because of it. */
export type Gone = { head: RecordHead; returned: RecordHead[] }

type Forgetting = { now: number; byAssistant: boolean }

/**
 * Forgets a record in a write; if it superseded very many, most of these return in further writes. `find` looks the
 * record up inside the write. Returns undefined if it finds none, because somebody else has forgotten the record
 * meanwhile.
 */
export async function forgetFound(
  project: ProjectStore,
  find: (tx: ProjectWrites) => Promise<RecordHead | undefined>,
  forgetting: Forgetting,
): Promise<Gone | undefined> {
  const done = await project.write(async (tx) => {
    const head = await find(tx)
    return head === undefined ? undefined : { head, heirs: await putInTrash(tx, head, forgetting) }
  })
  if (done === undefined) return undefined
  return { head: done.head, returned: await settleFurtherHeirs(project, done.head.id, forgetting.now, done.heirs) }
}

/**
 * Forgets a record inside a write. Its `supersededBy` is cleared, because it is decided again if the record is
 * restored.
 */
export async function putInTrash(
  tx: ProjectWrites,
  head: RecordHead,
  { now, byAssistant }: Forgetting,
): Promise<SettledHeirs> {
  const needsReview = byAssistant && head.status === 'verified'
  await tx.forgetRecord(head.id, now)
  if (needsReview || head.supersededBy !== null) await tx.updateRecord(head.id, { supersededBy: null, needsReview })
  return settleHeirs(tx, head.id, now)
}
