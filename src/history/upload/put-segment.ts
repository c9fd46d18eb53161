import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { UploadRefusal } from '../../errors.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import { HISTORY_ROW_BYTES, type HistoryGeneration, type HistoryReads, type HistorySource } from '../../store/history.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'
import { eraseDead, eraseSegment } from '../erase/erase-dead.ts'
import { FIRST_CHAIN, MAX_GENERATIONS, toPastTime } from './bounds.ts'
import type { Head } from './heads.ts'
import { toIncoming } from './incoming.ts'
import { keep, type SegmentFacts } from './keep-segment.ts'
import { requireRoom } from './quota.ts'
import { createLineSaver } from './save-lines.ts'

/** A segment as it was sent, inflated. `digest` is the SHA-256 of the body, `chain` the chain before it, both in hexadecimal. */
export type SentSegment = {
  projectId: string
  sourceId: string
  generation: number
  rawStart: number
  rawEnd: number
  digest: string
  chain: string
  rules: string
  body: Uint8Array
}

/** `isNew` is false if the segment was already there. `redacted` is the number of credentials that the agent had left in it. */
export type PutSegment = Omit<Head, 'sourceId' | 'erased'> & { isNew: boolean; redacted: number }

/**
 * Appends a segment to its source, or begins the source's next generation with it. Sending the same segment again changes nothing and gives the same answer.
 * When the promise resolves, the lines are durable; before that, nobody reads any of them.
 *
 * @throws UploadRefusal for a segment that does not continue its source (`gap`, with the position to continue from), is too large or does not match its
 *   digest, and if the plan has no room. Notice if the subscription forbids it.
 */
export async function putSegment(ctx: AppContext, actor: Actor, sent: SentSegment): Promise<PutSegment> {
  const histories = await authorizeHistory(ctx, actor, sent.projectId, 'write')
  const isThere = await ctx.store.hasHistory(sent.projectId)
  const source = isThere ? await findOwn(histories.store, histories.ownerId, sent.sourceId) : undefined
  if (source === undefined) throw unknownSource()
  // Checked before any work is done on the body.
  const known = await findPlace(histories.store, source, sent)
  if (known !== undefined) return known
  if (sha256Hex(sent.body) !== sent.digest) throw new UploadRefusal('invalid', 'the body is not what Content-Digest says')
  return save(ctx, histories, source, sent)
}

const unknownSource = () => new UploadRefusal('unknown_source', 'there is no such source; ask for its head')

async function findOwn(reads: HistoryReads, ownerId: string, id: string): Promise<HistorySource | undefined> {
  const source = await reads.findSource(id)
  return source?.ownerId === ownerId && source.forgottenAt === null ? source : undefined
}

/**
 * Undefined if the segment continues its source or begins its next generation; the answer if it is already there.
 *
 * @throws UploadRefusal for one that does neither, and for a source that its owner has erased.
 */
async function findPlace(reads: HistoryReads, source: HistorySource, sent: SentSegment): Promise<PutSegment | undefined> {
  const { generation, rawStart, rawEnd, digest, chain } = sent
  if (source.closedAt !== null) throw new UploadRefusal('erased', 'this session was erased; nothing is added to it')
  const kept = await reads.findSegment(source.id, generation, rawStart)
  if (kept?.rawEnd === rawEnd && kept.digest === digest)
    return { generation, rawEnd, chain: kept.chain, lines: source.lines, isNew: false, redacted: 0 }
  const head = await requireGeneration(reads, source)
  const continues = generation === head.generation && rawStart === head.rawEnd && chain === head.chain
  const begins = generation === head.generation + 1 && rawStart === 0 && chain === FIRST_CHAIN && generation <= MAX_GENERATIONS
  if (continues || begins) return undefined
  throw new UploadRefusal('gap', `the source goes on at byte ${head.rawEnd} of generation ${head.generation}`, {
    generation: head.generation,
    raw_end: head.rawEnd,
    chain: head.chain,
  })
}

async function requireGeneration(reads: HistoryReads, { id, generation }: HistorySource): Promise<HistoryGeneration> {
  const found = await reads.findGeneration(id, generation)
  if (found === undefined) throw new Error(`source ${id} has no generation ${generation}`)
  return found
}

async function save(ctx: AppContext, histories: Histories, source: HistorySource, sent: SentSegment): Promise<PutSegment> {
  const { store, account } = histories
  const { generation, rawStart, rawEnd, digest, rules } = sent
  const chain = sha256Hex(sent.chain + digest)
  const receivedAt = ctx.clock.now()
  const segment = { sourceId: source.id, generation, rawStart, rawEnd, digest, chain, rules, receivedAt }
  const id = await store.write(async (tx) => {
    await requireRoom(tx, account, HISTORY_ROW_BYTES.segment)
    return tx.insertSegment(segment)
  })
  try {
    const { redacted, lines, ...facts } = await saveLines(histories, source, id, sent.body, receivedAt)
    const answer = await store.write(async (tx) => {
      const current = await findOwn(tx, histories.ownerId, source.id)
      if (current === undefined) throw unknownSource()
      // The same segment may have arrived twice concurrently, and the source may have advanced meanwhile.
      const known = await findPlace(tx, current, sent)
      if (known !== undefined) return known
      const readable = await keep(tx, current, { ...segment, id, lines }, facts)
      return { generation, rawEnd, chain, lines: readable, isNew: true, redacted }
    })
    if (!answer.isNew) await eraseSegment(store, id)
    return answer
  } catch (error) {
    await eraseSegment(store, id).catch(() => {})
    if (error instanceof UploadRefusal && error.code === 'quota') await eraseDead(ctx, store).catch(() => {})
    throw error
  }
}

async function saveLines(
  histories: Histories,
  { assistant }: HistorySource,
  segmentId: number,
  body: Uint8Array,
  now: number,
): Promise<SegmentFacts & { lines: number; redacted: number }> {
  const saver = createLineSaver(histories, segmentId)
  const facts: Awaited<ReturnType<typeof saveLines>> = { firstAt: null, lastAt: null, prompt: undefined, lines: 0, redacted: 0 }
  for await (const incoming of toIncoming(assistant, body)) {
    facts.redacted += incoming.redacted
    facts.lines += incoming.lines.length
    for (const line of incoming.lines) {
      await saver.add(line)
      facts.prompt ??= line.prompt
      const at = toPastTime(line.at, now)
      if (at === null) continue
      facts.firstAt = Math.min(facts.firstAt ?? at, at)
      facts.lastAt = Math.max(facts.lastAt ?? at, at)
    }
  }
  await saver.flush()
  return facts
}
