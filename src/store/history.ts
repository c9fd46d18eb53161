/** Kind of source: a source is one file, or one conversation of an assistant's database. */
export type SourceKind = 'main' | 'subagent'

/** What an agent reports about a source. Times of the store are milliseconds since 1970. */
export type SourceFacts = {
  sessionId: string
  kind: SourceKind
  /** For a subagent, the session that it belongs to; otherwise the session that it was forked from. */
  parentSessionId: string | null
  cwd: string | null
  gitBranch: string | null
  appVersion: string | null
}

/**
 * One source of one owner. `assistant` and `sourceKey` identify it among the owner's sources that are not forgotten.
 */
export type HistorySource = SourceFacts & {
  /** Unique in the project, and not guessable. */
  id: string
  /** The member who uploads it, or the service key: an author id. */
  ownerId: string
  /** Device that uploaded last. */
  device: string
  assistant: string
  sourceKey: string
  /** The beginning of the session's topic; null as long as it is not known. */
  title: string | null
  /** Times of its first and its last line, where lines have times. */
  firstAt: number | null
  lastAt: number | null
  createdAt: number
  /** When a segment last arrived; null before the first. */
  receivedAt: number | null
  /** Sort key of lists: the time of its last line, or when that arrived. */
  activeAt: number
  /** Running hash of all segments that have arrived (hexadecimal); 64 zeros at the beginning. */
  chain: string
  /**
   * Hash of the id of the last line that has one, among those sent since the beginning of the file was sent, and how
   * many lines without an id followed it.
   */
  lastId: string | null
  sinceId: number
  /** Lines that can be read: those that arrived, without those that are erased. */
  lines: number
  /** The highest number that a line of it has, or had before it was erased. */
  lastLine: number
  /** Lines up to this number are erased: no read returns them, and what is stored of them is being removed. */
  erasedLines: number
  /** When lines of it were last erased; null if none were. */
  erasedAt: number | null
  /** When its owner erased it; nothing is added to it afterwards. Null otherwise. */
  closedAt: number | null
  /** When it was forgotten: it is in no list any more, and its remaining data is being erased. */
  forgottenAt: number | null
  /** Suggestions were made of the lines up to this one. */
  examinedLine: number
}

/** A sentence that an owner typed in a session, which waits, or was kept as a record or dismissed. */
export type Suggestion = {
  id: string
  ownerId: string
  sourceId: string
  /** The line that it stands in. */
  line: number
  state: 'open' | 'kept' | 'dismissed'
  text: string
  /** Its analyzed words that carry meaning, by which another one is known that says the same. */
  terms: string
  createdAt: number
}

/** Position of a line's text in the text of a block, in bytes. A block never changes; lines may move to another one. */
export type LinePlace = { block: number; at: number; length: number }

/** A line of a source. Lines are numbered from 1. */
export type HistoryLine = LinePlace & { line: number }

/** A line by the number of its source (`FoundSource`) and its own. */
export type LineName = { source: number; line: number }

/** Compressed texts of lines of one source. */
export type HistoryBlock = { id: number; sourceId: string; data: Uint8Array }

/**
 * What tells lines apart: a hash of what identifies one, and a hash of its text as it arrived (16 bytes each, in
 * hexadecimal).
 */
export type LineKey = { key: string; hash: string }

/** A line to be stored in a block. */
export type NewHistoryLine = LineKey & { line: number; at: number; length: number }

/** A line of a block, by its number in the engine. */
export type BlockLine = { id: number; at: number; length: number }

/**
 * What an owner, or a whole project, has stored: the number of sources with lines, and the bytes that count against the
 * plan, which are compressed texts and `HISTORY_ROW_BYTES` for rows. `receivedAt` is when a segment of them last
 * arrived.
 */
export type HistoryUsage = { bytes: number; sources: number; receivedAt: number | null }

/** An author id, the bytes that count against the plan, and when the owner agreed to suggestions; null if not. */
export type HistoryOwner = { id: string; bytes: number; agreedAt: number | null }

export const sumBytes = (owners: Pick<HistoryOwner, 'bytes'>[]): number =>
  owners.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * The lines `first` to `last` of a source in the index of words. All lines of the source before them are indexed too.
 */
export type HistoryPassage = {
  first: number
  last: number
  /** Each word of its lines once: a 32-bit hash of the owner and a term. */
  words: number[]
  /** Which line has which words (`history/index/line-words.ts`). */
  lines: Uint8Array
  /** Version of passages and analyzer that made it. */
  rules: number
}

/** Maximum number of passages of a source: what follows in it is not found. The two are combined in one number. */
export const MAX_PASSAGES = 2 ** 12

/** The number of the source that a passage is of (`FoundSource`). */
export const toSourceNumber = (passage: number): number => Math.floor(passage / MAX_PASSAGES)

/** A source as passages name it. */
export type FoundSource = HistorySource & { number: number }

/** How far a source is indexed. */
export type IndexedSource = Pick<HistorySource, 'id' | 'lastLine'> & { indexed: number }

/** What sources of an owner a list has: those with lines to which all that is given applies. */
export type SourceFilter = {
  ownerId: string
  assistant?: string | undefined
  /** Only of this kind. */
  kind?: SourceKind | undefined
  /** Names of folders, separated by `/`, that stand in this order in the path of the session's folder. */
  folder?: string | undefined
  gitBranch?: string | undefined
  /** Active at some time from `since` to `until`. */
  since?: number | undefined
  until?: number | undefined
}

/** A page of an owner's sources with lines, last active first. */
export type SourcePage = SourceFilter & {
  before?: SourcePlace | undefined
  limit: number
}
export type SourcePlace = { activeAt: number; id: string }

/** Maximum number of lines of a source. The numbers of source and line are combined in one. */
export const MAX_LINES = 2 ** 31

/**
 * Bytes counted against the plan for each row, in addition to compressed texts: about what it takes in the engine's
 * files.
 */
export const HISTORY_ROW_BYTES = { source: 512, line: 96 }
