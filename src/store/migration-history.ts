import { DataError } from '../errors.ts'
import type { Migration } from './migrations.macro.ts'

export type Applied = { name: string; hash: string }

/**
 * The migrations that have not been applied to the data, in order. `mayBeAhead` is how many may have been applied that
 * are unknown here.
 *
 * @throws DataError if there are more of these, because a newer version wrote the data, or a known one has another hash.
 */
export function findUnapplied(applied: Applied[], steps: Migration[], mayBeAhead = 0): Migration[] {
  const tooNew = applied[steps.length + mayBeAhead]
  if (tooNew !== undefined)
    throw new DataError(
      `the data was written by a newer memsvc (it has '${tooNew.name}'); use that version or a backup`,
    )
  steps.slice(0, applied.length).forEach((step, at) => {
    const row = applied[at]
    if (row?.name !== step.name || row.hash !== step.hash)
      throw new DataError(`the data has another history than this memsvc ('${row?.name}')`)
  })
  return steps.slice(applied.length)
}
