import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { readFacts, readLastTime } from './facts.ts'
import type { Found } from './places/place.ts'
import { isOwnFile, toErrorCode } from './readers/history-file.ts'
import type { HistorySource } from './source.ts'

/**
 * Reads the facts about a session from its file. `known` are those read before, which are valid as long as the file has not changed. Undefined if the file is
 * gone, belongs to another user, or is not a regular file; a file that cannot be read is described by its name, with the reason.
 */
export async function describe(
  assistant: HistorySource['assistant'],
  found: Found,
  known: HistorySource | undefined,
): Promise<HistorySource | undefined> {
  const stats = await lstat(found.file).catch(() => undefined)
  if (stats === undefined || !isOwnFile(stats)) return undefined
  if (known !== undefined && isUnchanged(known, stats)) return known
  const { size: bytes, mtimeMs, ino: inode } = stats
  const named: HistorySource = {
    ...found,
    sessionId: found.sessionId ?? found.sourceKey,
    assistant,
    cwd: found.cwd ?? null,
    bytes,
    mtimeMs,
    inode,
  }
  const facts = await readFacts(named).catch(toErrorCode)
  if (typeof facts === 'string') return { ...named, unreadable: facts }
  const { cwd, gitBranch, version, timestamp, sessionId, parentSessionId, isSubagent } = facts
  return {
    ...named,
    sessionId: found.sessionId ?? sessionId ?? found.sourceKey,
    cwd: cwd ?? null,
    ...(isSubagent === true && { kind: 'subagent' }),
    ...(parentSessionId !== undefined && { parentSessionId: named.parentSessionId ?? parentSessionId }),
    ...(gitBranch !== undefined && { gitBranch }),
    ...(version !== undefined && { appVersion: version }),
    ...(timestamp !== undefined && { firstAt: timestamp }),
    lastAt: (await readLastTime(named)) ?? stats.mtime.toISOString(),
  }
}

function isUnchanged(known: HistorySource, { size, mtimeMs, ino }: Stats): boolean {
  return known.unreadable === undefined && known.bytes === size && known.mtimeMs === mtimeMs && known.inode === ino
}
