import type { Assistant } from '../../../transcripts/format.ts'
import type { HistorySource, Machine } from '../source.ts'

/** A file that may hold a history, told by its name alone. */
export type Found = Pick<HistorySource, 'file' | 'sourceKey' | 'kind' | 'parentSessionId'> & {
  /** Where the name tells it; otherwise the lines do. */
  sessionId?: string
  /** Where the session is, of an assistant whose histories do not say it. */
  cwd?: string
}

/** Where an assistant keeps its histories. */
export type Place = {
  assistant: Assistant
  /** Yields nothing where the assistant is not installed. Of a history that stands in several files, each is found. */
  find: (machine: Machine) => AsyncGenerator<Found>
}
