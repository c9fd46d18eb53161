import { DataError } from '../errors.ts'
import type { Migration } from './migrations.macro.ts'

export type Applied = { name: string; hash: string }

/**
 * The migrations that have not been applied to the data, in order. Throws a DataError if one was applied that is
 * unknown here, because a newer version wrote the data, or that has another hash.
 */
export function findUnapplied(applied: Applied[], steps: Migration[]): Migration[] {
  applied.forEach((row, at) => {
    const step = steps[at]
    if (step === undefined)
      throw new DataError(`the data was written by a newer memsvc (it has '${row.name}'); use that version or a backup`)
    if (step.name !== row.name || step.hash !== row.hash)
      throw new DataError(`the data has another history than this memsvc ('${row.name}')`)
  })
  return steps.slice(applied.length)
}
