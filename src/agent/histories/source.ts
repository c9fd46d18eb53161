import type { Assistant } from '../../transcripts/format.ts'
import type { Environment } from '../config.ts'

/** The machine whose histories are searched. */
export type Machine = {
  environment: Environment
  /** Home folder of the user. */
  home: string
}

/** One history on this machine: a file, or a session within a database. */
export type HistorySource = {
  assistant: Assistant
  /**
   * Identifies the history independently of its folder, in at most 512 characters: unchanged when the file is archived,
   * compressed or moved.
   */
  sourceKey: string
  kind: 'main' | 'subagent'
  /** Absolute path; for a session in a database, the path of the database, `#`, and the id of the session. Unique. */
  file: string
  sessionId: string
  parentSessionId?: string
  /** Folder in which the session began; null if the history does not contain it. */
  cwd: string | null
  gitBranch?: string
  /** Version of the assistant. */
  appVersion?: string
  /** ISO 8601 times of the first and the last line, if known. */
  firstAt?: string
  lastAt?: string
  /** Size on disk, which for a compressed file is the compressed size. */
  bytes: number
  /** For a session in a database: when one of its readable rows was last written, in milliseconds since 1970. */
  mtimeMs: number
  /**
   * For a session in a database: its number of readable rows. Together with the two fields above, it tells whether
   * there is something new.
   */
  inode: number
  /** Why the history cannot be read: an error code. What only its content tells is then unknown. */
  unreadable?: string
}

/**
 * Consecutive complete lines of a history, without line feeds and reduced (`reduceLine`), in the order they were
 * written. Blank lines are left out. `rawStart` and `rawEnd` are byte offsets in the uncompressed history; the pieces
 * of one reading are contiguous. A piece may contain no line.
 */
export type Piece = {
  lines: string[]
  rawStart: number
  rawEnd: number
  /** Where to continue after this piece: opaque text of at most 1 KiB, valid for other processes and later releases. */
  cursor: string
}

/** Maximum number of lines of a piece, which the service stores in one write. */
export const MAX_PIECE_LINES = 1_024

/** The history was truncated or rewritten since it was read. It must be read again from the beginning. */
export type Rewritten = 'rewritten'

export type ReadOptions = {
  /**
   * Milliseconds since 1970; defaults to the current time. Rows of a database are read only some time after they were
   * written.
   */
  now?: number
}

/**
 * Reads a history from a cursor, or from its beginning if that is null, up to its last complete line. Each piece has at
 * most `MAX_PIECE_LINES` and covers at most `maxBytes` of it (up to 1 MiB, the maximum length of a line), or else one
 * line. Stopping early closes everything that was opened. Yields only `rewritten` if the piece before the cursor has
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
