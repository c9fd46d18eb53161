import type { Assistant } from '../../transcripts/format.ts'

/** Where histories are looked for. */
export type Machine = {
  environment: Record<string, string | undefined>
  /** Home folder of the person. */
  home: string
}

/** One history on this machine: a file, or a session within a database. */
export type HistorySource = {
  assistant: Assistant
  /** Names the history whatever folder it stands in, at most 512 characters: it stays the same when the file is archived, compressed or moved. */
  sourceKey: string
  kind: 'main' | 'subagent'
  /** Absolute path; of a session within a database, that of the database, then `#` and the id of the session. Names one history only. */
  file: string
  sessionId: string
  parentSessionId?: string
  /** Folder in which the session began; null if the history does not say. */
  cwd: string | null
  gitBranch?: string
  /** Version of the assistant. */
  appVersion?: string
  /** ISO 8601 times of the first and the last line, where they are known. */
  firstAt?: string
  lastAt?: string
  /** Size as stored: of a compressed file, compressed. */
  bytes: number
  /** Of a session within a database: when a row of it that can be read was last written, in milliseconds since 1970. */
  mtimeMs: number
  /** Of a session within a database: how many rows of it can be read. Together with the two above it tells whether there is something new. */
  inode: number
}

/**
 * Consecutive complete lines of a history, each without its line feed and reduced (`reduceLine`), in the order in which they were written. Blank lines are left out.
 * `rawStart` and `rawEnd` are positions in the history as it stands on the disk, uncompressed; pieces of one reading follow each other without gaps. A piece may hold no line.
 */
export type Piece = {
  lines: string[]
  rawStart: number
  rawEnd: number
  /** Where to go on after this piece: opaque text, at most 1 KiB, that stays valid for other processes and later releases. */
  cursor: string
}

/** The history no longer holds what was read of it: it was cut back or rewritten. To be read anew from the beginning, as a new generation. */
export type Rewritten = 'rewritten'

export type ReadOptions = {
  /** Compares all that stands before the cursor, which takes time by its length, and not only its last 64 to 128 KiB. */
  checksAll?: boolean
  /** Milliseconds since 1970; the present where it is left out. What a database holds is read only a moment after it was written. */
  now?: number
}

/**
 * Reads a history from a cursor on, or from its beginning where that is null, up to what is complete now. Each piece takes up at most `maxBytes` of it (1 MiB at most makes
 * sense: that is how long a line may be), or else one line. Stopping early closes what was opened. Yields `rewritten`, and nothing more, where the history before the cursor has
 * changed.
 *
 * @throws Error of the file system, with its `code`, if the history cannot be read; `ENOENT` once it is gone.
 */
export type ReadHistory = (
  source: HistorySource,
  cursor: string | null,
  maxBytes: number,
  options?: ReadOptions,
) => AsyncGenerator<Piece | Rewritten>
