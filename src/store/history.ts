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
type HistoryLine = LinePlace & { line: number }

/** A line by the number of its source (`FoundSource`) and its own. */
type LineName = { source: number; line: number }

/** Compressed texts of lines of one source. */
export type HistoryBlock = { id: number; sourceId: string; data: Uint8Array }

/**
 * What tells lines apart: a hash of what identifies one, and a hash of its text as it arrived (16 bytes each, in
 * hexadecimal).
 */
export type LineKey = { key: string; hash: string }

/** A line to be stored in a block. */
type NewHistoryLine = LineKey & { line: number; at: number; length: number }

/** A line of a block, by its number in the engine. */
export type BlockLine = { id: number; at: number; length: number }

/**
 * What an owner, or a whole project, has stored: the number of sources with lines, and the bytes that count against the
 * plan, which are compressed texts and `HISTORY_ROW_BYTES` for rows. `receivedAt` is when a segment of them last
 * arrived.
 */
type HistoryUsage = { bytes: number; sources: number; receivedAt: number | null }

/** An author id, the bytes that count against the plan, and when the owner agreed to suggestions; null if not. */
type HistoryOwner = { id: string; bytes: number; agreedAt: number | null }

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
type IndexedSource = Pick<HistorySource, 'id' | 'lastLine'> & { indexed: number }

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
type SourcePage = SourceFilter & {
  before?: SourcePlace | undefined
  limit: number
}
export type SourcePlace = { activeAt: number; id: string }

export type HistoryReads = {
  /** Those of the sources with these numbers, last active first. */
  listFoundSources: (filter: SourceFilter & { numbers: number[]; limit: number }) => Promise<FoundSource[]>
  /** In the order of ids, sources with lines, and how far each is indexed with these rules. */
  listIndexed: (page: { rules: number; id?: string; afterId?: string; limit: number }) => Promise<IndexedSource[]>
  /** Numbers of the owner's passages that have any word of a group, the largest first, for each of the groups. */
  findPassages: (query: { ownerId: string; groups: number[][]; limit: number }) => Promise<number[][]>
  /** What these passages of the owner say of their lines. */
  readPassages: (
    ownerId: string,
    numbers: number[],
  ) => Promise<(Pick<HistoryPassage, 'first' | 'lines'> & { number: number })[]>
  /** The last passage of a source. */
  findLastPassage: (sourceId: string) => Promise<Pick<HistoryPassage, 'first' | 'last' | 'rules'> | undefined>
  /** By its id also one that is forgotten. */
  findSource: (
    by: { id: string } | Pick<HistorySource, 'ownerId' | 'assistant' | 'sourceKey'>,
  ) => Promise<HistorySource | undefined>
  listSources: (page: SourcePage) => Promise<HistorySource[]>
  /**
   * At most `limit` sources with lines of an owner whose id, or the id of whose session, begins with this text: first
   * those of the session with just this id, each time main ones first, then in the order of ids.
   */
  findSourcesNamed: (ownerId: string, beginning: string, limit: number) => Promise<HistorySource[]>
  /** The subagents of a session with lines, oldest first. */
  listSubagents: (ownerId: string, assistant: string, sessionId: string) => Promise<HistorySource[]>
  /**
   * Sources of an owner, or of all, that are not forgotten, including those without lines, after this id in the order
   * of ids.
   */
  listAllSources: (selection: {
    ownerId?: string | undefined
    afterId?: string | undefined
    limit: number
  }) => Promise<HistorySource[]>
  /** Sources with lines that have received nothing since this time. */
  listIdleSources: (receivedBefore: number, limit: number) => Promise<HistorySource[]>
  /** Lines with numbers from `from` on that are not erased, in their order. */
  listLines: (selection: { sourceId: string; from: number; limit: number }) => Promise<HistoryLine[]>
  /** Those of these lines, by the numbers of source and line, that are stored and not erased. */
  listLinesNamed: (names: LineName[]) => Promise<(LineName & LinePlace)[]>
  /** Those of the lines that are stored, with their numbers. */
  findLines: (keys: string[]) => Promise<(LineKey & { line: number })[]>
  /** Undefined if its lines were moved or erased. */
  findBlock: (id: number) => Promise<HistoryBlock | undefined>
  /** Of all owners if none is given. */
  readHistoryUsage: (ownerId?: string) => Promise<HistoryUsage>
  /** All who have something stored or agreed to suggestions, in order of id. */
  listOwners: () => Promise<HistoryOwner[]>
  /** Sources that are forgotten, or have stored lines that are erased. */
  listErased: (limit: number) => Promise<HistorySource[]>
  /**
   * Ids of blocks after this one, in their order; with `isStale`, only of those with text of lines that are erased or
   * say something else now.
   */
  listBlocks: (page: { after: number; limit: number; isStale?: boolean | undefined }) => Promise<number[]>
  /** The remaining lines of a block, in the order of their positions. */
  listLinesOfBlock: (id: number) => Promise<BlockLine[]>
  /** Main sources of an owner with unexamined lines that have received nothing since this time, last active first. */
  listUnexamined: (ownerId: string, receivedBefore: number, limit: number) => Promise<HistorySource[]>
  findSuggestion: (id: string) => Promise<Suggestion | undefined>
  /** Newest first. */
  listSuggestions: (selection: {
    of: { ownerId: string } | { sourceId: string }
    state?: Suggestion['state']
    limit: number
  }) => Promise<Suggestion[]>
}

export type HistoryWrites = {
  /** Puts passages in the place of all of the source that hold lines from the first of these on. */
  savePassages: (sourceId: string, passages: HistoryPassage[]) => Promise<void>
  /** Takes the passages of a source with lines from `line` on out of the index, which then ends before them. */
  dropPassages: (sourceId: string, line: number) => Promise<void>
  /** Fails if the owner has a source of this assistant and key that is not forgotten. */
  insertSource: (source: HistorySource) => Promise<void>
  updateSource: (
    id: string,
    change: Partial<Omit<HistorySource, 'id' | 'ownerId' | 'assistant' | 'sourceKey'>>,
  ) => Promise<void>
  /**
   * Stores lines of a source with a block of their texts. One with the number of a stored line replaces it. Its block
   * becomes stale, or is removed if no line of it is left.
   */
  insertLines: (block: Omit<HistoryBlock, 'id'>, lines: NewHistoryLine[]) => Promise<void>
  /**
   * Removes at most `limit` of the lines of a source that are erased, or of all if it is forgotten, as `insertLines`
   * does with replaced ones; a forgotten one itself with the last of them. Returns whether there may be more. Does
   * nothing if there is no such source.
   */
  eraseLines: (sourceId: string, limit: number) => Promise<boolean>
  insertSuggestions: (suggestions: Suggestion[]) => Promise<void>
  updateSuggestion: (id: string, change: Partial<Pick<Suggestion, 'state' | 'text' | 'terms'>>) => Promise<void>
  /** Erases all of a source, or those of an owner that wait. */
  eraseSuggestions: (of: { ownerId: string } | { sourceId: string }) => Promise<void>
  /** When an owner agreed to suggestions; null if they no longer do. */
  setAgreed: (ownerId: string, at: number | null) => Promise<void>
  /** Moves the remaining lines of a block to a new block, and removes the old one. */
  replaceBlock: (id: number, block: Omit<HistoryBlock, 'id'>, lines: BlockLine[]) => Promise<void>
}

/**
 * The session histories of one project. Nothing of them can be read through another project, nor through the project's
 * records.
 */
export type HistoryStore = HistoryReads & {
  /** As `ProjectStore.write`. */
  write: <T>(act: (tx: HistoryReads & HistoryWrites) => Promise<T>) => Promise<T>
  /** As `ProjectStore.scrub`, and gives disk space back. */
  scrub: (isStopped: () => boolean) => Promise<void>
}

/** Maximum number of lines of a source. The numbers of source and line are combined in one. */
export const MAX_LINES = 2 ** 31

/**
 * Bytes counted against the plan for each row, in addition to compressed texts: about what it takes in the engine's
 * files.
 */
export const HISTORY_ROW_BYTES = { source: 512, line: 96 }
