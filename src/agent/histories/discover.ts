import { lstatSync, type Stats } from 'node:fs'
import { toErrorCode } from '../../errors.ts'
import { tryParseJson } from '../../jsonrpc.ts'
import { type Assistant, type SessionFacts, toObject } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { findSessions } from './opencode/find-sessions.ts'
import { readSession } from './opencode/read-session.ts'
import { type HistoryFile, listFiles, PLACES, type Place, toCwd, toFound } from './places.ts'
import { COMPRESSED_ENDING, isOwnFile, openHistory } from './readers/history-file.ts'
import { readLineFile } from './readers/line-file.ts'
import type { HistorySource, Machine, ReadHistory } from './source.ts'

/**
 * The histories on this machine, by assistant. Each is there once, also if it exists in several files, for instance
 * moved or compressed. `known` are those found before, by file; files that have not changed since are not read again.
 * `now` is in milliseconds since 1970.
 */
export async function discover(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource> = new Map(),
  now = Date.now(),
): Promise<HistorySource[]> {
  const found: HistorySource[] = []
  for (const place of PLACES) {
    const sources = new Map<string, HistorySource>()
    for (const one of await listFiles(place, machine)) {
      const source = findUnchanged(known, one.file) ?? (await describe(place, one))
      if (source === undefined) continue
      const other = sources.get(source.sourceKey)
      if (other === undefined || comparePreference(source, other) < 0) sources.set(source.sourceKey, source)
    }
    found.push(...sources.values())
  }
  return [...found, ...(await Array.fromAsync(findSessions(machine, known, now)))]
}

/** Readable files first; then plain ones, since assistants write only to these; then the most recently written. */
function comparePreference(a: HistorySource, b: HistorySource): number {
  const rank = ({ unreadable, file }: HistorySource) =>
    2 * Number(unreadable !== undefined) + Number(file.endsWith(COMPRESSED_ENDING))
  return rank(a) - rank(b) || b.mtimeMs - a.mtimeMs
}

/** Reads any history that `discover` finds. */
export const readHistory: ReadHistory = (source, ...rest) =>
  (source.assistant === 'opencode' ? readSession : readLineFile)(source, ...rest)

/** What was read of a file before, if it has not changed since. */
function findUnchanged(known: ReadonlyMap<string, HistorySource>, file: string): HistorySource | undefined {
  const source = known.get(file)
  if (source === undefined || source.unreadable !== undefined) return undefined
  const stats = findStats(file)
  const { bytes, mtimeMs, inode } = source
  const isSame = stats?.size === bytes && stats.mtimeMs === mtimeMs && stats.ino === inode && isOwnFile(stats)
  return isSame ? source : undefined
}

/**
 * Reads the facts about a session from its file. Undefined if the file has none by its path, is gone, belongs to another
 * user, or is not a regular file; a file that cannot be read is described by its name, with the reason.
 */
async function describe(place: Place, file: HistoryFile): Promise<HistorySource | undefined> {
  const found = toFound(place, file)
  const stats = found && findStats(found.file)
  if (found === undefined || stats === undefined || !isOwnFile(stats)) return undefined
  const { assistant } = place
  const { size: bytes, mtimeMs, ino: inode } = stats
  const named: HistorySource = {
    ...found,
    sessionId: found.sessionId ?? found.sourceKey,
    assistant,
    cwd: toCwd(found.cwd),
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
    cwd: toCwd(cwd),
    ...(isSubagent === true && { kind: 'subagent' }),
    ...(parentSessionId !== undefined && { parentSessionId: named.parentSessionId ?? parentSessionId }),
    ...(gitBranch !== undefined && { gitBranch }),
    ...(version !== undefined && { appVersion: version }),
    ...(timestamp !== undefined && { firstAt: timestamp }),
    lastAt: (await readLastTime(named)) ?? stats.mtime.toISOString(),
  }
}

/** Read synchronously, which takes a fifth of the processor time: thousands of files are looked at every half minute. */
function findStats(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** How many bytes of the beginning of a file are searched for facts about its session. */
const HEAD_BYTES = 2 ** 20
const PIECE_BYTES = 16 * 1_024
/** How many bytes of the end are searched for a time. */
const TAIL_BYTES = 64 * 1_024

/**
 * Adds the facts found in the first lines of a file to those known already, which take precedence.
 *
 * @throws Error of the file system or of decompression if the file cannot be read.
 */
async function readFacts(source: HistorySource): Promise<SessionFacts> {
  let facts: SessionFacts = source.cwd === null ? {} : { cwd: source.cwd }
  for await (const piece of readLineFile(source, null, PIECE_BYTES)) {
    if (piece === 'rewritten') return facts
    for (const line of piece.lines) {
      facts = { ...factsOf(source.assistant, line), ...facts }
      if (facts.cwd !== undefined && facts.timestamp !== undefined) return facts
    }
    if (piece.rawEnd > HEAD_BYTES) return facts
  }
  return facts
}

/** The time of the last line that has one; undefined if there is none near the end, or the file is compressed. */
async function readLastTime({ assistant, file, bytes }: HistorySource): Promise<string | undefined> {
  if (file.endsWith(COMPRESSED_ENDING)) return undefined
  try {
    for (const line of (await readTail(file, bytes)).split('\n').toReversed()) {
      const { timestamp } = factsOf(assistant, line)
      if (timestamp !== undefined) return timestamp
    }
  } catch {
    // The modification time of the file is used then.
  }
  return undefined
}

async function readTail(file: string, bytes: number): Promise<string> {
  const { handle } = await openHistory(file)
  try {
    const { bytesRead, buffer } = await handle.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(0, bytes - TAIL_BYTES),
    )
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await handle.close()
  }
}

function factsOf(assistant: Assistant, line: string): SessionFacts {
  return FORMATS.get(assistant)?.sessionOf(toObject(tryParseJson(line))) ?? {}
}
