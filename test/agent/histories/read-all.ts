import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { readHistory } from '../../../src/agent/histories/discover.ts'
import type { HistorySource, Piece, ReadOptions } from '../../../src/agent/histories/source.ts'

export const PIECE_BYTES = 2 ** 20

/** A file as `discover` would find it. */
export function toSource(file: string, assistant: HistorySource['assistant'] = 'claude-code'): HistorySource {
  const { size, mtimeMs, ino } = statSync(file)
  const sourceKey = basename(file)
  return { assistant, sourceKey, kind: 'main', file, sessionId: sourceKey, cwd: null, bytes: size, mtimeMs, inode: ino }
}

/** All that can be read now. `isRewritten` where the history has changed before the cursor. */
export async function readAll(
  source: HistorySource,
  cursor: string | null = null,
  options?: ReadOptions & { maxBytes?: number },
) {
  const pieces: Piece[] = []
  for await (const piece of readHistory(source, cursor, options?.maxBytes ?? PIECE_BYTES, options)) {
    if (piece === 'rewritten') return { pieces, lines: [], cursor, isRewritten: true }
    pieces.push(piece)
  }
  return {
    pieces,
    lines: pieces.flatMap(({ lines }) => lines),
    cursor: pieces.at(-1)?.cursor ?? cursor,
    isRewritten: false,
  }
}
