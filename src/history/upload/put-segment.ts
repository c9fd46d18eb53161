import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import { HISTORY_ROW_BYTES, type HistorySource, type LineKey } from '../../store/history.ts'
import type { HistoryReads } from '../../store/history-verbs.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'
import { packBlock } from '../blocks.ts'
import { requireRoom, toPastTime } from './bounds.ts'
import type { Head } from './heads.ts'
import { type Incoming, type IncomingLine, toIncoming } from './incoming.ts'
import { UploadRefusal } from './upload-refusal.ts'

/**
 * A segment as it was sent, inflated. `digest` is the SHA-256 of the body, `chain` what the agent knows of the source
 * before it, both in hexadecimal. `isFirst` if it begins at the beginning of the file.
 */
export type SentSegment = {
  projectId: string
  sourceId: string
  isFirst: boolean
  digest: string
  chain: string
  body: Uint8Array
}

/**
 * `isNew` is false if the segment was already there. `redacted` is the number of credentials that the agent had left in
 * it.
 */
export type PutSegment = Pick<Head, 'chain' | 'lines'> & { isNew: boolean; redacted: number }

/** A line with its keys, and the number that it is to have. */
type PlacedLine = LineKey & { line: number; text: Uint8Array }

/**
 * Stores the lines of a segment. A line that is stored already stays as it is; one with the id of a stored line, or
 * without an id in the place of one, replaces it; every other is added at the end. Sending the same segment again
 * changes nothing and gives the same answer. When the promise resolves, the lines are durable; before that, nobody
 * reads any of them.
 *
 * @throws UploadRefusal if the source has received something else since (`gap`, with what it has), for a segment that
 *   is too large or does not match its digest, and if the plan has no room. Notice if the subscription forbids it.
 */
export async function putSegment(ctx: AppContext, actor: Actor, sent: SentSegment): Promise<PutSegment> {
  const histories = await authorizeHistory(ctx, actor, sent.projectId, 'write')
  const isThere = await ctx.store.hasHistory(sent.projectId)
  // Checked before any work is done on the body.
  const source = isThere ? await requireSource(histories.store, histories, sent.sourceId) : undefined
  if (source === undefined) throw unknownSource()
  const known = findAnswer(source, sent)
  if (known !== undefined) return known
  if (sha256Hex(sent.body) !== sent.digest)
    throw new UploadRefusal('invalid', 'the body is not what Content-Digest says')
  const incoming = await toIncoming(source.assistant, sent.body)
  return save(ctx, histories, source, sent, incoming)
}

const unknownSource = () => new UploadRefusal('unknown_source', 'there is no such source; ask for its head')

async function requireSource(reads: HistoryReads, { ownerId }: Histories, id: string): Promise<HistorySource> {
  const source = await reads.findSource({ id })
  if (source === undefined || source.ownerId !== ownerId || source.forgottenAt !== null) throw unknownSource()
  if (source.closedAt !== null) throw new UploadRefusal('erased', 'this session was erased; nothing is added to it')
  return source
}

const chainAfter = ({ chain, digest }: SentSegment) => sha256Hex(chain + digest)

/**
 * The answer to a segment that is already there; undefined for one that continues its source. @throws UploadRefusal for
 * one that does neither.
 */
function findAnswer({ chain, lines }: HistorySource, sent: SentSegment): PutSegment | undefined {
  if (chain === chainAfter(sent)) return { chain, lines, isNew: false, redacted: 0 }
  if (chain === sent.chain) return undefined
  throw new UploadRefusal('gap', 'the source has received something else', { chain })
}

async function save(
  ctx: AppContext,
  histories: Histories,
  source: HistorySource,
  sent: SentSegment,
  incoming: Incoming,
): Promise<PutSegment> {
  const { store, account } = histories
  const { placed, added, last } = await placeLines(store, source, sent.isFirst, incoming.lines)
  const packed = placed.length === 0 ? undefined : await packBlock(source.id, placed)
  const bytes = (packed?.block.data.length ?? 0) + added * HISTORY_ROW_BYTES.line
  const saved = await store.write(async (tx) => {
    const current = await requireSource(tx, histories, source.id)
    const known = findAnswer(current, sent)
    if (known !== undefined) return known
    // Its lines were erased meanwhile, and with them the numbers that were given.
    if (current.erasedLines !== source.erasedLines) return undefined
    await requireRoom(tx, account, bytes)
    if (packed !== undefined) await tx.insertLines(packed.block, packed.places)
    const facts = toChange(sent.isFirst ? { ...current, title: null } : current, incoming.lines, ctx.clock.now())
    const [chain, lines] = [chainAfter(sent), current.lines + added]
    await tx.updateSource(source.id, { ...facts, ...last, chain, lines, lastLine: current.lastLine + added })
    return { chain, lines, isNew: true, redacted: incoming.redacted }
  })
  if (saved?.isNew) noteUpload(ctx, histories.projectId, source.id)
  return saved ?? save(ctx, histories, await requireSource(store, histories, source.id), sent, incoming)
}

function noteUpload({ uploaded }: AppContext, projectId: string, sourceId: string): void {
  const sources = uploaded.get(projectId)
  if (sources === undefined) uploaded.set(projectId, new Set([sourceId]))
  else sources.add(sourceId)
}

/**
 * Which lines are to be stored, how many of them are added, and which was the last line with an id. Of several lines
 * with one id the last counts.
 */
async function placeLines(
  reads: HistoryReads,
  source: HistorySource,
  isFirst: boolean,
  lines: IncomingLine[],
): Promise<{ placed: PlacedLine[]; added: number; last: Pick<HistorySource, 'lastId' | 'sinceId'> }> {
  const last = isFirst ? { lastId: null, sinceId: 0 } : { lastId: source.lastId, sinceId: source.sinceId }
  const keyed = new Map<string, { text: Uint8Array; hash: string }>()
  for (const { id, text } of lines) {
    if (id === undefined) last.sinceId += 1
    else Object.assign(last, { lastId: toHash(id), sinceId: 0 })
    keyed.set(toKey(source, last), { text, hash: toHash(text) })
  }
  const known = new Map((await reads.findLines([...keyed.keys()])).map((line) => [line.key, line]))
  let number = source.lastLine
  const placed = [...keyed]
    .filter(([key, { hash }]) => known.get(key)?.hash !== hash)
    .map(([key, { text, hash }]) => ({ key, hash, text, line: known.get(key)?.line ?? ++number }))
  return { placed, added: number - source.lastLine, last }
}

const toHash = (text: Uint8Array | string) => sha256Hex(text).slice(0, 32)

/**
 * What identifies a line among all of a project: its id, or its position after the last line that has one. Lines of a
 * source that were erased have other keys than those that arrive afterwards.
 */
function toKey(
  { id, erasedLines }: HistorySource,
  { lastId, sinceId }: Pick<HistorySource, 'lastId' | 'sinceId'>,
): string {
  return toHash(JSON.stringify([id, erasedLines, lastId, sinceId]))
}

/**
 * What changes in a source with these lines. Its title is the first prompt since the beginning of the file was sent.
 */
function toChange(source: HistorySource, lines: IncomingLine[], receivedAt: number) {
  const times = lines.map(({ at }) => toPastTime(at, receivedAt)).filter((at) => at !== null)
  const lastAt = times.reduce((latest, at) => Math.max(latest, at), source.lastAt ?? Number.NEGATIVE_INFINITY)
  const firstAt = times.reduce((first, at) => Math.min(first, at), source.firstAt ?? Number.POSITIVE_INFINITY)
  const title = source.title ?? shortenTitle(lines.find(({ prompt }) => prompt !== undefined)?.prompt)
  const known = Number.isFinite(lastAt) ? lastAt : null
  return {
    title,
    firstAt: Number.isFinite(firstAt) ? firstAt : null,
    lastAt: known,
    receivedAt,
    activeAt: known ?? receivedAt,
  }
}

const MAX_TITLE_CHARACTERS = 120

/** The beginning of a text in one line, as the title of a session; null for none. */
function shortenTitle(text: string | undefined): string | null {
  const line = (text ?? '')
    .slice(0, 4 * MAX_TITLE_CHARACTERS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  if (line === '') return null
  const characters = [...line]
  return characters.length <= MAX_TITLE_CHARACTERS ? line : `${characters.slice(0, MAX_TITLE_CHARACTERS).join('')}…`
}
