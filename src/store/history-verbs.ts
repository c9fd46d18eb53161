import type {
  BlockLine,
  FoundSource,
  HistoryBlock,
  HistoryLine,
  HistoryOwner,
  HistoryPassage,
  HistorySource,
  HistoryUsage,
  IndexedSource,
  LineKey,
  LineName,
  LinePlace,
  NewHistoryLine,
  SourceFilter,
  SourcePage,
  Suggestion,
} from './history.ts'

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
