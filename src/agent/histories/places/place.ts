import type { Assistant } from '../../../transcripts/format.ts'
import type { HistorySource, Machine } from '../source.ts'

/** A file that may contain a history, as far as its name tells. */
export type Found = Pick<HistorySource, 'file' | 'sourceKey' | 'kind' | 'parentSessionId'> & {
  /** Absent if the name does not contain it; the lines do. */
  sessionId?: string
  /** The session's folder, for assistants whose histories do not contain it. */
  cwd?: string
}

/** The locations of an assistant's histories. */
export type Place = {
  assistant: Assistant
  /** Yields nothing if the assistant is not installed, and each file of a history that is in several. */
  find: (machine: Machine) => AsyncGenerator<Found>
}
