import type { Limits } from '../../account/limits/plan.ts'
import { createGate } from '../../semaphore.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import { bytesOf, type RecordTexts } from '../../store/record.ts'
import { type IncomingRecord, toIdentity } from './entry.ts'
import type { Imported } from './save-incoming.ts'

/** Saves inside a write, under the limits `room`. */
type Save = (tx: ProjectWrites, room: Limits) => Promise<Imported>

/** Thrown in a write to roll it back. */
class Undone extends Error {
  constructor(readonly imported: Imported) {
    super('a trial')
  }
}

/** Records tried at a time; the store rolls them back together. */
const TRIED_AT_ONCE = 16

/**
 * Returns a function that tries to save a record of an import and rolls the write back. The effects that earlier
 * records would have had are kept in memory: the identity of each, so that a repeated one counts as existing, and their
 * use of the plan's limits. If these are nearly used up, some records that would fit may be refused.
 */
export function createTrial(
  project: ProjectStore,
  limits: Limits,
): (incoming: IncomingRecord, save: Save) => Promise<Imported> {
  let [records, contentBytes] = [0, 0]
  const seen = new Set<string>()

  function take(draft: RecordTexts, count: 1 | -1): void {
    records += count
    contentBytes += count * bytesOf(draft)
  }

  async function trySave({ draft }: IncomingRecord, save: Save): Promise<Imported> {
    const room = { ...limits, records: limits.records - records, contentBytes: limits.contentBytes - contentBytes }
    // Reserved before the outcome is known, since others are tried meanwhile.
    take(draft, 1)
    let outcome: Imported['outcome'] | undefined
    try {
      const undo = async (tx: ProjectWrites) => {
        throw new Undone(await save(tx, room))
      }
      const imported = await project.write(undo).catch(toImported)
      outcome = imported.outcome
      return imported
    } finally {
      if (outcome !== 'saved') take(draft, -1)
    }
  }

  const inTurn = createGate(TRIED_AT_ONCE)
  return async (incoming, save) => {
    const identity = toIdentity(incoming)
    if (seen.has(identity)) return { outcome: 'there', id: incoming.draft.id }
    const imported = await inTurn(() => trySave(incoming, save))
    seen.add(identity)
    return imported
  }
}

function toImported(error: unknown): Imported {
  if (error instanceof Undone) return error.imported
  throw error
}
