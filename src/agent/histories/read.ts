import { readLineFile } from './readers/line-file.ts'
import type { ReadHistory } from './source.ts'

/** Reads any history that `discover` finds. */
export const readHistory: ReadHistory = readLineFile
