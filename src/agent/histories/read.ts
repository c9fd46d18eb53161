import { readSession } from './opencode/read-session.ts'
import { readLineFile } from './readers/line-file.ts'
import type { ReadHistory } from './source.ts'

/** Reads any history that `discover` finds. */
export const readHistory: ReadHistory = (source, ...rest) => (source.assistant === 'opencode' ? readSession : readLineFile)(source, ...rest)
