/** Where the lines of a session come from: one file, or one conversation of a database, of an assistant. */
export type SourceKind = 'main' | 'subagent'

/** What an agent tells of a source. Times of the store are milliseconds since 1970. */
export type SourceFacts = {
  sessionId: string
  kind: SourceKind
  /** Of a subagent, the session that it belongs to; of another one, the session that it was forked from. */
  parentSessionId: string | null
  cwd: string | null
  gitBranch: string | null
  appVersion: string | null
}

/** One source of one owner. `assistant` and `sourceKey` name it among those of the owner that are not forgotten. */
export type HistorySource = SourceFacts & {
  /** Unique in the project; nobody can guess it. */
  id: string
  /** The member who uploads it, or the service key: an author id. */
  ownerId: string
  /** Device that uploaded last. */
  device: string
  assistant: string
  sourceKey: string
  /** The beginning of what the session is about; null as long as that is not known. */
  title: string | null
  /** Times of its first and its last line, where lines have times. */
  firstAt: number | null
  lastAt: number | null
  createdAt: number
  /** When a segment last arrived; null before the first. */
  receivedAt: number | null
  /** By which sources are listed: the time of its last line, or when that arrived. */
  activeAt: number
  /** The newest generation, to which segments are added. */
  generation: number
  /** The generation that readers see. */
  shown: number
  /** Lines of the shown generation that are not erased. */
  lines: number
  /** When lines of it were last erased; null where none were. */
  erasedAt: number | null
  /** When its owner erased it, since when nothing is added to it; null otherwise. */
  closedAt: number | null
  /** When it was forgotten: it is in no list then, and what is left of it is on its way out. */
  forgottenAt: number | null
}

/** A source's file from one beginning on: a new one begins where the file was rewritten. Lines are numbered from 1. */
export type HistoryGeneration = {
  sourceId: string
  generation: number
  /** Bytes of the file that have arrived. */
  rawEnd: number
  /** Hash over all that has arrived (hexadecimal); 64 zeros at the beginning. */
  chain: string
  /** Lines that have arrived. */
  lines: number
  /** Of these so many from the beginning are erased. */
  erasedLines: number
  /** Time of the last line that has one. */
  lastAt: number | null
}

/** Consecutive lines as they arrived in one request. One that is not kept is in no read of lines. */
export type HistorySegment = {
  id: number
  sourceId: string
  generation: number
  rawStart: number
  rawEnd: number
  /** SHA-256 of what was sent (hexadecimal). */
  digest: string
  /** The chain behind it. */
  chain: string
  /** Number of its first line; null until it is kept. */
  firstLine: number | null
  lines: number
  /** Version of the rules of redaction that the agent applied. */
  rules: string
  receivedAt: number
}

/** Where the text of a record stands: bytes of the text of a block. A block never changes; records move to another. */
export type RecordPlace = { block: number; at: number; length: number }

/** A line of a generation. */
export type HistoryLine = RecordPlace & { line: number }

/** Compressed texts of records of one owner. `rawBytes` is the size of the whole before compression. */
export type HistoryBlock = { id: number; ownerId: string; data: Uint8Array; rawBytes: number }

/** A record, known among all of its owner by its key (16 bytes in hexadecimal): a line that several sources have is stored once. */
export type NewHistoryRecord = { key: string; at: number; length: number }

/**
 * What an owner, or a whole project, has stored: sources with lines that are not forgotten, and the bytes that count against the plan, which are compressed texts and
 * what is kept beside them (`HISTORY_ROW_BYTES`). `receivedAt` is when a segment last arrived.
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
  /** The subagents of a session with lines, oldest first. */
  listSubagents: (ownerId: string, assistant: string, sessionId: string) => Promise<HistorySource[]>
  /** Sources of an owner, or of all, that are not forgotten, without lines too, after this id in the order of ids. */
  listAllSources: (selection: { ownerId?: string | undefined; afterId?: string | undefined; limit: number }) => Promise<HistorySource[]>
  /** Sources with lines to which nothing was added since. */
  listIdleSources: (receivedBefore: number, limit: number) => Promise<HistorySource[]>
  findGeneration: (sourceId: string, generation: number) => Promise<HistoryGeneration | undefined>
  /** Oldest first. */
  listGenerations: (sourceId: string) => Promise<HistoryGeneration[]>
  /** The kept segment that begins there. */
  findSegment: (sourceId: string, generation: number, rawStart: number) => Promise<HistorySegment | undefined>
  /** Lines with numbers from `from` on that are not erased, in their order. */
  listLines: (selection: { sourceId: string; generation: number; from: number; limit: number }) => Promise<HistoryLine[]>
  /** Undefined once its records have moved, or were erased. */
  findBlock: (id: number) => Promise<HistoryBlock | undefined>
  /** Of these keys those whose records there are. */
  listKnownKeys: (keys: string[]) => Promise<string[]>
  /** What counts against the plan, of the whole project, in bytes. */
  readHistoryBytes: () => Promise<number>
  /** Of everybody without an owner. */
  readHistoryUsage: (ownerId?: string) => Promise<HistoryUsage>
  /** Everybody of whom something is stored. */
  listOwners: () => Promise<string[]>
  /**
   * Segments whose lines nobody can read any more: erased, of forgotten sources, or never kept and received before this time. In no particular order.
   */
  listDeadSegments: (unkeptBefore: number, limit: number) => Promise<number[]>
  /** Forgotten sources of which no segment is left. */
  listEmptySources: (limit: number) => Promise<string[]>
  /** Blocks with text of erased records, after this one in the order of ids. */
  listStaleBlocks: (after: number, limit: number) => Promise<number[]>
  /** Where in a block the records are that are left, in the order of their places. */
  listRecordsOfBlock: (id: number) => Promise<(NewHistoryRecord & { id: number })[]>
}

export type HistoryWrites = {
  /** Fails where the owner has a source of this assistant and key that is not forgotten. */
  insertSource: (source: HistorySource) => Promise<void>
  updateSource: (id: string, change: Partial<Omit<HistorySource, 'id' | 'ownerId' | 'assistant' | 'sourceKey'>>) => Promise<void>
  /** Makes it or replaces it. */
  saveGeneration: (generation: HistoryGeneration) => Promise<void>
  /** Adds a segment without lines that is not kept yet, and returns its id. */
  insertSegment: (segment: Omit<HistorySegment, 'id' | 'firstLine' | 'lines'>) => Promise<number>
  /** From now on the `lines` lines of the segment are lines of its generation, the first with this number. Fails where a kept one begins at the same place. */
  keepSegment: (id: number, firstLine: number, lines: number) => Promise<void>
  /** Stores the texts of records of which there is none with the same key. */
  insertBlock: (block: Omit<HistoryBlock, 'id'>, records: NewHistoryRecord[]) => Promise<void>
  /** Adds lines to a segment, from its line number `at` on (from 0), each by the key of its record, which must be there. */
  insertLines: (segmentId: number, at: number, keys: string[]) => Promise<void>
  /**
   * Takes at most `limit` lines off a segment, with the records that no other line has; their blocks are stale from then on. Removes the segment once it has no lines, and
   * then returns true.
   */
  eraseLines: (segmentId: number, limit: number) => Promise<boolean>
  /** Removes a source of which no segment is left. */
  eraseSource: (id: string) => Promise<void>
  /** Moves what is left of the records of a block, given by their ids, to a new one, and removes the old one. */
  replaceBlock: (id: number, block: Omit<HistoryBlock, 'id'>, records: (NewHistoryRecord & { id: number })[]) => Promise<void>
  /** Removes a block without records. */
  eraseBlock: (id: number) => Promise<void>
}

/** The session histories of one project. Nothing of them can be read through another project, nor through the project's records. */
export type HistoryStore = HistoryReads & {
  /** As `ProjectStore.write`. */
  write: <T>(act: (tx: HistoryReads & HistoryWrites) => Promise<T>) => Promise<T>
  /** After erasing: takes what was erased out of the engine's files as well, and gives room back, as far as others at work permit. */
  scrub: () => Promise<void>
}

/** Lines of one segment: sixteen bytes each in a MiB, where assistants write hundreds. Its number and that of a line may be one number for an engine. */
export const MAX_SEGMENT_LINES = 2 ** 16

/** What counts against the plan beside compressed texts, in bytes: about what each takes in the engine's files. */
export const HISTORY_ROW_BYTES = { source: 512, segment: 256, record: 64, line: 32 }
