import { mkdirSync } from 'node:fs'
import { DataError } from '../../errors.ts'

/** Makes a folder that its owner alone may enter, and those above it. Throws a DataError that says what is in the way. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DataError(`cannot make the folder '${path}': ${error instanceof Error ? error.message : error}`)
  }
}
