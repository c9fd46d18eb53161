import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectWrites } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import { toComparableContent } from '../../text/comparable.ts'
import { supersedeEarlier } from '../records/save/rivals.ts'
import type { Memory } from '../visibility.ts'
import { findInAnyCase } from '../workspaces/workspace.ts'
import { type IncomingRecord, toIdentity } from './entry.ts'
import { canBeOutdated, type Imported, type Pending, saveIncoming } from './save-incoming.ts'
import { requireRefusal } from './steps.ts'
import { createTrial } from './trial.ts'

export type Outcome = Imported['outcome'] | Refusal

/**
 * Returns the function that saves the batches of one import. It keeps track of the outdated records that earlier lines
 * stand for, and adds to `pending` what can be decided only after the last line.
 */
export function createSaveAll(
  { records, account, visible }: Memory,
  folder: string | undefined,
  dryRun: boolean,
  pending: Pending[],
): (batch: (IncomingRecord | Refusal)[]) => Promise<Outcome[]> {
  /** By identity: the `beforeSeq` of the next line. */
  const places = new Map<string, number>()
  const limits: Limits = limitsOf(account)
  const trial = createTrial(records, limits)

  async function saveOne(incoming: IncomingRecord | Refusal): Promise<Imported | Refusal> {
    if (incoming instanceof Refusal) return incoming
    const identity = mayRepeat(incoming) ? toIdentity(incoming) : undefined
    const beforeSeq = identity === undefined ? undefined : places.get(identity)
    if (dryRun)
      return trial(incoming, (tx, room) => saveIncoming(tx, incoming, { beforeSeq, limits: room, visible })).catch(
        requireRefusal,
      )
    const act = async (tx: ProjectWrites) => {
      const imported = await saveIncoming(tx, incoming, { beforeSeq, limits, visible })
      if (folder !== undefined) await noteSource(tx, visible, folder, incoming)
      return imported
    }
    const imported = await records.write(act, [incoming.draft]).catch(requireRefusal)
    if (!isSaved(imported)) return imported
    if (imported.pending !== undefined) pending.push(imported.pending)
    if (imported.unsettled !== undefined) await supersedeEarlier(records, imported.unsettled)
    if (identity !== undefined && imported.beforeSeq !== undefined) places.set(identity, imported.beforeSeq)
    return imported
  }

  return async (batch) => {
    const outcomes: Outcome[] = []
    for (const run of splitAtRepeats(batch)) {
      for (const saved of await Promise.all(run.map(saveOne))) outcomes.push(isSaved(saved) ? saved.outcome : saved)
    }
    return outcomes
  }
}

async function noteSource(
  tx: ProjectWrites,
  visible: Visible,
  root: string,
  { draft: { sourceId, workspace: name } }: IncomingRecord,
): Promise<void> {
  const workspace = await findInAnyCase(tx, visible, name)
  if (workspace !== undefined && sourceId !== null)
    await tx.saveImportedSource({ root, workspaceId: workspace.id, sourceId })
}

const isSaved = (saved: Imported | Refusal): saved is Imported => !(saved instanceof Refusal)

/** Whether the record that a line stands for depends on earlier lines with the same content. */
const mayRepeat = (incoming: IncomingRecord | Refusal): incoming is IncomingRecord =>
  !(incoming instanceof Refusal) && !incoming.hasId && canBeOutdated(incoming.draft)

/**
 * Splits a batch before every record that repeats a content. The records of a part are saved concurrently, each in a
 * write of its own; a repeated content has to wait until it is known which record the earlier one stands for.
 */
function splitAtRepeats(batch: (IncomingRecord | Refusal)[]): (IncomingRecord | Refusal)[][] {
  const parts: (IncomingRecord | Refusal)[][] = [[]]
  const contents = new Set<string>()
  for (const incoming of batch) {
    if (mayRepeat(incoming)) {
      const content = toComparableContent(incoming.draft.content)
      if (contents.has(content)) {
        parts.push([])
        contents.clear()
      }
      contents.add(content)
    }
    parts.at(-1)?.push(incoming)
  }
  return parts
}
