import type { ProjectStore, ProjectWrites } from '../../../store/project.ts'
import type { RecordHead } from '../../../store/record.ts'
import { type SettledHeirs, settleFurtherHeirs, settleHeirs } from '../save/heirs.ts'

/** A record that was forgotten, as it was before, and what is current again since. */
export type Gone = { head: RecordHead; returned: RecordHead[] }

type Forgetting = { now: number; byAssistant: boolean }

/**
 * Forgets a record in a write; of very many that it superseded, most return in further writes. `find` finds the record inside the write; undefined where
 * somebody else has forgotten it meanwhile.
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

/** Forgets a record inside a write. In the trash it names no other: what supersedes it when it comes back is settled anew. */
export async function putInTrash(tx: ProjectWrites, head: RecordHead, { now, byAssistant }: Forgetting): Promise<SettledHeirs> {
  const needsReview = byAssistant && head.status === 'verified'
  await tx.forgetRecord(head.id, now)
  if (needsReview || head.supersededBy !== null) await tx.updateRecord(head.id, { supersededBy: null, needsReview })
  return settleHeirs(tx, head.id, now)
}
