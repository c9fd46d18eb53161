import { DataError } from '../errors.ts'
import type { Migration } from './migrations.macro.ts'

export type Applied = { name: string; hash: string }

/**
 * The steps that data has not had, in order. Throws a DataError when it has one that is unknown here, which a newer version applied, or one with another hash.
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
