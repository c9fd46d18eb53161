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

/** One source of one owner. `assistant` and `sourceKey` identify it among the owner's sources that are not forgotten. */
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
  /** The newest generation, to which segments are added. */
  generation: number
  /** The generation that readers see. */
  shown: number
  /** Lines of the shown generation that are not erased. */
  lines: number
  /** When lines of it were last erased; null if none were. */
  erasedAt: number | null
  /** When its owner erased it; nothing is added to it afterwards. Null otherwise. */
  closedAt: number | null
  /** When it was forgotten: it is in no list any more, and its remaining data is being erased. */
  forgottenAt: number | null
}

/** A version of a source's file from its beginning; a new generation starts when the file is rewritten. Lines are numbered from 1. */
export type HistoryGeneration = {
  sourceId: string
  generation: number
  /** Bytes of the file that have arrived. */
  rawEnd: number
  /** Running hash of everything that has arrived (hexadecimal); 64 zeros at the beginning. */
  chain: string
  /** Lines that have arrived. */
  lines: number
  /** How many of these, from the beginning, are erased. */
  erasedLines: number
  /** Time of the last line that has one. */
  lastAt: number | null
}

/** Consecutive lines that arrived in one request. Until a segment is kept, no read returns its lines. */
export type HistorySegment = {
  id: number
  sourceId: string
  generation: number
  rawStart: number
  rawEnd: number
  /** SHA-256 of what was sent (hexadecimal). */
  digest: string
  /** `chain` of the generation after this segment. */
  chain: string
  /** Number of its first line; null until it is kept. */
  firstLine: number | null
  lines: number
  /** Version of the redaction rules that the agent applied. */
  rules: string
  receivedAt: number
}

/** Position of a record's text in the text of a block, in bytes. A block never changes; records may move to another one. */
export type RecordPlace = { block: number; at: number; length: number }

/** A line of a generation. */
export type HistoryLine = RecordPlace & { line: number }

/** Compressed texts of records of one owner. `rawBytes` is the size of the whole before compression. */
export type HistoryBlock = { id: number; ownerId: string; data: Uint8Array; rawBytes: number }

/** A record, identified by a key (16 bytes in hexadecimal) among those of its owner, so that a line that occurs in several sources is stored once. */
export type NewHistoryRecord = { key: string; at: number; length: number }

/**
 * What an owner, or a whole project, has stored: the number of sources with lines, and the bytes that count against the plan, which are compressed texts and
 * `HISTORY_ROW_BYTES` for rows. `receivedAt` is when a segment last arrived.
 */
export type HistoryUsage = { bytes: number; sources: number; receivedAt: number | null }

/** A page of an owner's sources with lines, last active first. */
export type SourcePage = {
  ownerId: string
  assistant?: string | undefined
  /** Only of this kind. */
  kind?: SourceKind | undefined
  before?: SourcePlace | undefined
  limit: number
}
export type SourcePlace = { activeAt: number; id: string }

export type HistoryReads = {
  /** Forgotten ones too. */
  findSource: (id: string) => Promise<HistorySource | undefined>
  /** Not a forgotten one. */
  findSourceByKey: (ownerId: string, assistant: string, sourceKey: string) => Promise<HistorySource | undefined>
  listSources: (page: SourcePage) => Promise<HistorySource[]>
  /**
   * At most `limit` sources with lines of an owner whose id, or the id of whose session, begins with this text: first those of the session with just this id,
   * each time main ones first, then in the order of ids.
   */
  findSourcesNamed: (ownerId: string, beginning: string, limit: number) => Promise<HistorySource[]>
  /** The subagents of a session with lines, oldest first. */
  listSubagents: (ownerId: string, assistant: string, sessionId: string) => Promise<HistorySource[]>
  /** Sources of an owner, or of all, that are not forgotten, including those without lines, after this id in the order of ids. */
  listAllSources: (selection: { ownerId?: string | undefined; afterId?: string | undefined; limit: number }) => Promise<HistorySource[]>
  /** Sources with lines that have received nothing since this time. */
  listIdleSources: (receivedBefore: number, limit: number) => Promise<HistorySource[]>
  findGeneration: (sourceId: string, generation: number) => Promise<HistoryGeneration | undefined>
  /** Oldest first. */
  listGenerations: (sourceId: string) => Promise<HistoryGeneration[]>
  /** The kept segment that begins there. */
  findSegment: (sourceId: string, generation: number, rawStart: number) => Promise<HistorySegment | undefined>
  /** Lines with numbers from `from` on that are not erased, in their order. */
  listLines: (selection: { sourceId: string; generation: number; from: number; limit: number }) => Promise<HistoryLine[]>
  /** Undefined if its records were moved or erased. */
  findBlock: (id: number) => Promise<HistoryBlock | undefined>
  /** Those of the keys that have a record. */
  listKnownKeys: (keys: string[]) => Promise<string[]>
  /** Bytes of the whole project that count against the plan. */
  readHistoryBytes: () => Promise<number>
  /** Of all owners if none is given. */
  readHistoryUsage: (ownerId?: string) => Promise<HistoryUsage>
  /** Ids of all who have something stored. */
  listOwners: () => Promise<string[]>
  /**
   * Segments whose lines nobody can read any more: erased, of forgotten sources, or never kept and received before this time. In no particular order.
   */
  listDeadSegments: (unkeptBefore: number, limit: number) => Promise<number[]>
  /** Forgotten sources of which no segment is left. */
  listEmptySources: (limit: number) => Promise<string[]>
  /** Ids of blocks after this one, in their order; with `isStale`, only of those with text of erased records. */
  listBlocks: (page: { after: number; limit: number; isStale?: boolean | undefined }) => Promise<number[]>
  /** The remaining records of a block, in the order of their positions. */
  listRecordsOfBlock: (id: number) => Promise<(NewHistoryRecord & { id: number })[]>
}

export type HistoryWrites = {
  /** Fails if the owner has a source of this assistant and key that is not forgotten. */
  insertSource: (source: HistorySource) => Promise<void>
  updateSource: (id: string, change: Partial<Omit<HistorySource, 'id' | 'ownerId' | 'assistant' | 'sourceKey'>>) => Promise<void>
  /** Makes it or replaces it. */
  saveGeneration: (generation: HistoryGeneration) => Promise<void>
  /** Adds a segment without lines that is not kept yet, and returns its id. */
  insertSegment: (segment: Omit<HistorySegment, 'id' | 'firstLine' | 'lines'>) => Promise<number>
  /** Makes the `lines` lines of the segment lines of its generation, from number `firstLine` on. Fails if a kept segment begins at the same place. */
  keepSegment: (id: number, firstLine: number, lines: number) => Promise<void>
  /** Stores the texts of records whose keys are not there yet. */
  insertBlock: (block: Omit<HistoryBlock, 'id'>, records: NewHistoryRecord[]) => Promise<void>
  /** Adds lines to a segment, from its line number `at` on (from 0), each by the key of its record, which must be there. */
  insertLines: (segmentId: number, at: number, keys: string[]) => Promise<void>
  /**
   * Removes at most `limit` lines of a segment, and the records that no other line uses; their blocks become stale. Removes the segment when it has no lines
   * left, and then returns true.
   */
  eraseLines: (segmentId: number, limit: number) => Promise<boolean>
  /** Removes a source that has no segments left. */
  eraseSource: (id: string) => Promise<void>
  /** Moves the remaining records of a block, given by their ids, to a new block, and removes the old one. */
  replaceBlock: (id: number, block: Omit<HistoryBlock, 'id'>, records: (NewHistoryRecord & { id: number })[]) => Promise<void>
  /** Removes a block without records. */
  eraseBlock: (id: number) => Promise<void>
}

/** The session histories of one project. Nothing of them can be read through another project, nor through the project's records. */
export type HistoryStore = HistoryReads & {
  /** As `ProjectStore.write`. */
  write: <T>(act: (tx: HistoryReads & HistoryWrites) => Promise<T>) => Promise<T>
  /** To be called after erasing: removes erased data from the engine's files too, and frees disk space, as far as concurrent work permits. */
  scrub: () => Promise<void>
}

/**
 * Maximum number of lines of a segment: a MiB of lines of sixteen bytes, while real ones have hundreds. An engine may combine segment and line number in one
 * number.
 */
export const MAX_SEGMENT_LINES = 2 ** 16

/** Bytes counted against the plan for each row, in addition to compressed texts: about what it takes in the engine's files. */
export const HISTORY_ROW_BYTES = { source: 512, segment: 256, record: 64, line: 32 }
