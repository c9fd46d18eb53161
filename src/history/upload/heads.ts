import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { redactNotes } from '../../secrets/redact.ts'
import { HISTORY_ROW_BYTES, type HistorySource, type SourceFacts } from '../../store/history.ts'
import type { HistoryReads, HistoryWrites } from '../../store/history-verbs.ts'
import { ASSISTANTS, isAssistant } from '../../transcripts/format.ts'
import { authorizeHistory, type Histories } from '../authorize-history.ts'
import { FIRST_CHAIN, requireRoom, toPastTime } from './bounds.ts'
import { UploadRefusal } from './upload-refusal.ts'

/** A source as an agent describes it. Times in milliseconds since 1970. */
export type DescribedSource = SourceFacts & {
  assistant: string
  sourceKey: string
  firstAt: number | null
  lastAt: number | null
}

/**
 * What a source has received (`HistorySource.chain`), and what its owner can read of it: the number of lines. `erased`
 * if its owner has erased it, so that nothing is added to it.
 */
export type Head = { sourceId: string; chain: string; lines: number; erased: boolean }

/** What the person at the machine agreed to: the project, and the holder of the key, who may read what is uploaded. */
type Agreed = Pick<Histories, 'projectId' | 'ownerId'>

/** Sources written in one transaction. */
const BATCH_SOURCES = 20

/**
 * What the service has of these sources of the actor, in the same order. Registers unknown sources, and updates the
 * facts about known ones, with remaining credentials masked; repeating the call changes nothing.
 *
 * @throws UploadRefusal if the person agreed to upload to another project or for another holder of a key than the
 *   actor's (`agreed`), for an assistant that is not accepted, and if the plan has no room; Notice where the
 *   subscription forbids it.
 */
export async function readHeads(
  ctx: AppContext,
  actor: Actor,
  {
    projectId,
    agreed,
    device,
    sources,
  }: { projectId: string; agreed: Agreed; device: string; sources: DescribedSource[] },
): Promise<Head[]> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'write')
  requireAgreed(histories, agreed)
  for (const { assistant } of sources) requireAccepted(assistant)
  const heads: Head[] = []
  for (let at = 0; at < sources.length; at += BATCH_SOURCES) {
    const described = (await redactNotes(sources.slice(at, at + BATCH_SOURCES))).map(withParent)
    const known = await findAll(histories.store, histories, described)
    const isSame = known.every((source, nth) => source !== undefined && isUnchanged(source, described[nth]))
    heads.push(
      ...(isSame ? known.filter((head) => head !== undefined) : await saveAll(ctx, histories, device, described)).map(
        toHead,
      ),
    )
  }
  return heads
}

function toHead({ id, chain, lines, closedAt }: HistorySource): Head {
  return { sourceId: id, chain, lines, erased: closedAt !== null }
}

/** The agent checks this too, but its key may have been replaced in a file meanwhile. @throws UploadRefusal */
function requireAgreed({ projectId, ownerId }: Histories, agreed: Agreed): void {
  if (agreed.projectId === projectId && agreed.ownerId === ownerId) return
  throw new UploadRefusal(
    'not_agreed',
    'uploads were agreed on for another project or another holder of a key than those of this key',
  )
}

/** @throws UploadRefusal */
function requireAccepted(assistant: string): void {
  if (isAssistant(assistant)) return
  throw new UploadRefusal(
    'assistant_not_accepted',
    `histories of '${assistant}' are not accepted; those of ${ASSISTANTS.join(', ')} are`,
  )
}

/** Sets the parent of a subagent that has no session id of its own and names its main session instead. */
function withParent(source: DescribedSource): DescribedSource {
  const parentSessionId = source.parentSessionId ?? (source.kind === 'subagent' ? source.sessionId : null)
  return { ...source, parentSessionId }
}

async function findAll(
  reads: HistoryReads,
  { ownerId }: Histories,
  described: DescribedSource[],
): Promise<(HistorySource | undefined)[]> {
  const found: (HistorySource | undefined)[] = []
  for (const { assistant, sourceKey } of described) {
    found.push(await reads.findSource({ ownerId, assistant, sourceKey }))
  }
  return found
}

const FACTS = ['sessionId', 'kind', 'parentSessionId', 'cwd', 'gitBranch', 'appVersion'] as const

/**
 * What changes in a source. A fact that the agent does not know (any more) leaves the known one. What was erased with a
 * session does not return.
 */
function toChange(source: HistorySource, described: DescribedSource): Partial<SourceFacts> {
  if (source.closedAt !== null) return {}
  return Object.fromEntries(
    FACTS.filter((name) => described[name] !== null && described[name] !== source[name]).map((name) => [
      name,
      described[name],
    ]),
  )
}

const isUnchanged = (source: HistorySource, described: DescribedSource | undefined) =>
  described !== undefined && Object.keys(toChange(source, described)).length === 0

/** Decides again by what the write reads, since another agent may have registered a source meanwhile. */
function saveAll(
  ctx: AppContext,
  histories: Histories,
  device: string,
  described: DescribedSource[],
): Promise<HistorySource[]> {
  const made = described.map((one) => toSource(ctx, histories, device, one))
  return histories.store.write(async (tx) => {
    const saved: HistorySource[] = []
    for (const [nth, one] of described.entries()) {
      const source = await tx.findSource({
        ownerId: histories.ownerId,
        assistant: one.assistant,
        sourceKey: one.sourceKey,
      })
      const fresh = made[nth]
      if (source !== undefined) saved.push(await update(tx, source, one))
      else if (fresh !== undefined) saved.push(await insert(tx, histories, fresh))
    }
    return saved
  })
}

async function update(tx: HistoryWrites, source: HistorySource, described: DescribedSource): Promise<HistorySource> {
  const change = toChange(source, described)
  if (Object.keys(change).length > 0) await tx.updateSource(source.id, change)
  return { ...source, ...change }
}

async function insert(
  tx: HistoryReads & HistoryWrites,
  { account }: Histories,
  source: HistorySource,
): Promise<HistorySource> {
  await requireRoom(tx, account, HISTORY_ROW_BYTES.source)
  await tx.insertSource(source)
  return source
}

function toSource(
  { clock, random }: AppContext,
  { ownerId }: Histories,
  device: string,
  described: DescribedSource,
): HistorySource {
  const now = clock.now()
  const lastAt = toPastTime(described.lastAt, now)
  return {
    ...described,
    firstAt: toPastTime(described.firstAt, now),
    lastAt,
    id: random.uuid(now),
    ownerId,
    device,
    title: null,
    createdAt: now,
    receivedAt: null,
    activeAt: lastAt ?? now,
    chain: FIRST_CHAIN,
    lastId: null,
    sinceId: 0,
    lines: 0,
    lastLine: 0,
    erasedLines: 0,
    erasedAt: null,
    closedAt: null,
    forgottenAt: null,
    examinedLine: 0,
  }
}
