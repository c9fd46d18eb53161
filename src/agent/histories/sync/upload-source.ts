import { redactLines } from '../../../secrets/redact.ts'
import { sha256Hex } from '../../../secrets/secret.ts'
import { COMPRESSED_ENDING } from '../readers/history-file.ts'
import type { HistorySource, Piece, ReadHistory } from '../source.ts'
import { Halt } from './activity.ts'
import type { SyncDatabase } from './database.ts'
import { beginAnew, commitSegment, type Position, readPosition } from './positions.ts'
import type { Pending } from './record.ts'
import { markDone, markErased, markFailed, markRegistered, markUnknown, readSourceId, stampOf } from './sources.ts'
import type { Put, Segment, SyncClient } from './wire.ts'

export type UploadContext = {
  database: SyncDatabase
  client: SyncClient
  read: ReadHistory
  /** Id of this machine. */
  device: string
  /** Called before each request. Rejects if the upload must end. */
  requireGoing: () => Promise<void>
  /** The same before each segment, with the number of bytes sent of the history so far. */
  proceed: (source: HistorySource, sentBytes: number) => Promise<void>
  /** Sends a request, after pauses for which the service asks. */
  send: <Answer>(request: () => Promise<Answer>) => Promise<Answer>
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Maximum number of raw bytes of a history in a segment, unless a line is longer; and of one that the service finds too
 * large.
 */
const MAX_SEGMENT_BYTES = 2 ** 19
const SMALL_SEGMENT_BYTES = 2 ** 15

const ZSTD_LEVEL = 3

/** How many times a history may restart or go back in one pass. */
const MAX_RESTARTS = 8

/**
 * Sends what the service does not have of a history, in segments. A segment counts as sent once the service has
 * confirmed it; after an answer was lost it is sent again, or the history from its beginning: the service recognizes
 * each of its lines. A history that cannot be uploaded is recorded as failed.
 *
 * @throws Halt or ServiceError if no history can be uploaded for now.
 */
export async function uploadSource(context: UploadContext, { id, source, sourceId }: Pending): Promise<void> {
  const { database } = context
  const stamp = stampOf(source)
  let known = sourceId
  let maxBytes = MAX_SEGMENT_BYTES
  for (let restart = 0; restart <= MAX_RESTARTS; restart++) {
    const ended = await uploadFrom(context, { id, source, sourceId: known, maxBytes })
    if (ended === 'done') return markDone(database, id, stamp, toTail(source, readPosition(database, id)))
    if (ended === 'erased') return markErased(database, id, readSourceId(database, id))
    if (typeof ended === 'object') return markFailed(database, id, stamp, ended.failure)
    known = ended === 'unknown' ? null : (readSourceId(database, id) ?? known)
    if (ended === 'too large') maxBytes = SMALL_SEGMENT_BYTES
  }
  markFailed(database, id, stamp, 'it changed again and again while it was uploaded')
}

/**
 * The bytes of a file behind its last whole line. Sizes of compressed files and of sessions in a database do not
 * compare with positions in them.
 */
function toTail({ assistant, file, bytes }: HistorySource, { rawEnd }: Position): number {
  return assistant === 'opencode' || file.endsWith(COMPRESSED_ENDING) ? 0 : Math.max(0, bytes - rawEnd)
}

/**
 * The service's id of a history, whether it has a different part of it than was assumed, and whether its owner has
 * erased it there.
 */
type Registered = { sourceId: string; isMoved: boolean; isErased: boolean }

/**
 * Registers at most MAX_SOURCES histories with the service, and adopts what it has received. One that was erased there
 * is not uploaded again.
 */
export async function register(
  { database, client, device, send }: UploadContext,
  histories: { id: number; source: HistorySource }[],
): Promise<Registered[]> {
  const sources = histories.map(({ source }) => source)
  const heads = await send(() => client.readHeads(device, sources))
  return histories.map(({ id }, nth) => {
    const head = heads[nth]
    if (head === undefined) throw new Halt('backing_off', 'offline', 'The service gave an answer that cannot be read.')
    const { sourceId, lines, chain, erased: isErased } = head
    const isMoved = readPosition(database, id).chain !== chain
    if (isErased) markErased(database, id, sourceId)
    else markRegistered(database, id, sourceId, lines)
    if (isMoved && !isErased) beginAnew(database, id, chain)
    return { sourceId, isMoved, isErased }
  })
}

type Ended = 'done' | 'again' | 'unknown' | 'erased' | 'too large' | { failure: string }

type Reading = { id: number; source: HistorySource; sourceId: string | null; maxBytes: number }

async function uploadFrom(context: UploadContext, reading: Reading): Promise<Ended> {
  const { id, source } = reading
  try {
    await context.proceed(source, readPosition(context.database, id).rawEnd)
    const [registered] = reading.sourceId === null ? await register(context, [{ id, source }]) : []
    if (registered?.isErased) return 'erased'
    const sourceId = reading.sourceId ?? registered?.sourceId
    return sourceId === undefined ? 'unknown' : await sendFrom(context, { ...reading, sourceId })
  } catch (error) {
    return toFailure(error)
  }
}

async function sendFrom(
  { database, client, read, proceed, send, now }: UploadContext,
  { id, source, sourceId, maxBytes }: Reading & { sourceId: string },
): Promise<Ended> {
  let position = readPosition(database, id)
  for await (const piece of read(source, position.cursor, maxBytes, { now: now() })) {
    if (piece === 'rewritten') {
      beginAnew(database, id, position.chain)
      return 'again'
    }
    await proceed(source, position.rawEnd)
    const made = await makeSegment(position, piece)
    const put = await send(() => client.putSegment({ ...made.segment, sourceId }))
    if (put.kind !== 'stored') return handleRefusal(database, id, put, maxBytes)
    if (put.head.chain !== made.to.chain)
      throw new Halt(
        'error',
        'not_supported_by_service',
        'The service has confirmed something else than what was sent.',
      )
    if (!commitSegment(database, id, position, made.to, { lines: put.head.lines, redacted: made.redacted }))
      return 'again'
    position = made.to
  }
  return 'done'
}

/** A segment ready to be sent, the position after it, and the number of redactions by rule. */
type Made = { segment: Omit<Segment, 'sourceId'>; to: Position; redacted: Record<string, number> }

/**
 * Makes a segment of the lines after a position: redacted, then compressed. Digests are computed over redacted lines
 * only, since a digest of the original line would allow a guess of a credential to be confirmed.
 *
 * @throws if lines cannot be searched for credentials; they must then not be sent.
 */
async function makeSegment(from: Position, { lines, rawEnd, cursor }: Piece): Promise<Made> {
  const redacted = await redactLines(lines)
  const counts: Record<string, number> = {}
  for (const one of redacted)
    for (const [rule, count] of Object.entries(one.counts)) counts[rule] = (counts[rule] ?? 0) + count
  const text = Buffer.from(redacted.map(({ line }) => `${line}\n`).join(''))
  const body = new Uint8Array(Bun.zstdCompressSync(text, { level: ZSTD_LEVEL }))
  const digest = sha256Hex(text)
  const to = { rawEnd, chain: sha256Hex(from.chain + digest), cursor }
  const segment = {
    isFirst: from.cursor === null,
    body,
    digest: Buffer.from(digest, 'hex').toString('base64'),
    chain: from.chain,
  }
  return { segment, to, redacted: counts }
}

function handleRefusal(
  database: SyncDatabase,
  id: number,
  put: Exclude<Put, { kind: 'stored' }>,
  maxBytes: number,
): Ended {
  if (put.kind === 'refused' && put.reason === 'too_large' && maxBytes > SMALL_SEGMENT_BYTES) return 'too large'
  if (put.kind === 'refused') return { failure: `the service does not take it (${put.reason})` }
  if (put.kind === 'gap') beginAnew(database, id, put.chain)
  if (put.kind === 'unknown') markUnknown(database, id)
  return put.kind === 'gap' ? 'again' : put.kind
}

/** A fault of this history only is its failure; anything else ends the pass. */
function toFailure(error: unknown): Ended {
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'Halt' || name === 'ServiceError' || name === 'Superseded' || String(code).startsWith('SQLITE'))
    throw error
  if (name === 'RefusedHistory') return { failure: 'the service does not take what it is told of it' }
  if (code === 'ENOENT') return { failure: 'the file is gone' }
  return {
    failure:
      typeof code === 'string'
        ? `the file cannot be read (${code})`
        : `it cannot be searched for credentials, and stays here (${String(name)})`,
  }
}
