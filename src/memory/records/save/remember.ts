import { type Static, Type } from 'typebox'
import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { limitsOf } from '../../../account/limits/plan.ts'
import { isFinalRefusal, Refusal } from '../../../errors.ts'
import { bytesOf, joinPhrases, type RecordHead, type StoredRecord } from '../../../store/record.ts'
import { passCredentials, passText } from '../../rejections/pass-credentials.ts'
import { passGuard } from '../../rejections/pass-guard.ts'
import { toEntryInSlices } from '../../search/index/index-entry.ts'
import { authorizeMemory, type Memory, placeOf } from '../../visibility.ts'
import { MAX_ANSWER_CHARACTERS, MAX_LISTED, readExcerpts } from '../excerpt.ts'
import { MemoryRecord, NamedRecord, toRecordFields } from '../record.ts'
import { requireFuture } from '../text-argument.ts'
import { requireSameContent } from '../trash/restore.ts'
import { requireCurrent, verifyRecord } from '../verify.ts'
import { type RememberArguments, toDraft } from './draft.ts'
import { requireRoom } from './room.ts'
import { type Saved, saveDraft } from './save.ts'
import { findCandidates, NO_CANDIDATES, Similar, selectSimilar } from './similar.ts'

export const Remembered = Type.Object({
  ...Type.Omit(MemoryRecord, ['content', 'score', 'author', 'stale', 'superseded_by', 'conflicts_with', 'excerpt'])
    .properties,
  created: Type.Boolean(),
  refreshed: Type.Boolean({ description: 'It was there under another source_hash, and has this one now' }),
  made_stale: Type.Integer({ description: 'How many records of the source are stale since' }),
  superseded: Type.Array(NamedRecord),
  superseded_total: Type.Optional(
    Type.Integer({ description: 'How many there are, where `superseded` names only the first 100' }),
  ),
  conflicts_with: Type.Array(NamedRecord),
  similar: Type.Optional(Type.Array(Similar)),
  conflicts_total: Type.Optional(
    Type.Integer({ description: 'How many there are, where `conflicts_with` names only the first 100' }),
  ),
})
type Remembered = Static<typeof Remembered>

/**
 * Saves one record for the actor, which supersedes the records that state the fact of its given fact key otherwise. An
 * identical save creates no second record; with another source hash it refreshes the first. `seen` is for a correction
 * (`saveDraft`).
 *
 * @throws Refusal for invalid arguments, for a text that contains a credential or that the guard rejects, if the project
 *   is full, and for a record of the fact key that is not `seen`.
 */
export async function rememberRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, ...args }: Static<typeof RememberArguments> & { projectId: string },
  seen?: string[],
): Promise<Remembered> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const given = await toDraft(ctx, memory.author, args, ctx.clock.now())
  if (given.expiresAt !== null) requireFuture(given.expiresAt, given.createdAt)
  const draft = await passCredentials(ctx, actor, memory, given)
  const marked = await passGuard(ctx, actor, memory, draft)
  const { records, visible } = memory
  const [saved, candidates] = await Promise.all([
    saveDraft(records, visible, { ...draft, marked }, limitsOf(memory.account), seen),
    findCandidates(records, visible, draft).catch(whereRefused(NO_CANDIDATES)),
  ])
  const { record, workspace, created, refreshed, madeStale: made_stale } = saved
  const { content, author, ...fields } = toRecordFields(record, { workspace, author: undefined }, {})
  const named = new Set([record, ...saved.superseded.heads, ...saved.conflicts.heads].map(({ seq }) => seq))
  const found = selectSimilar(records, visible, candidates, draft, { saved: record.seq, named })
  const similar = await found.catch(whereRefused([]))
  return {
    ...fields,
    created,
    refreshed,
    made_stale,
    ...(await nameRivals(memory, saved)),
    ...(similar.length > 0 && { similar }),
  }
}

/** Where similar records cannot be read at present, the answer still says what became of the save. */
const whereRefused =
  <Value>(none: Value) =>
  (error: unknown): Value => {
    if (error instanceof Refusal) return none
    throw error
  }

type Rivals = Pick<Saved, 'superseded' | 'conflicts'>

/** The rivals of a save with their contents, which have at most `MAX_ANSWER_CHARACTERS` in both lists together. */
async function nameRivals(
  { records, visible }: Memory,
  { superseded, conflicts }: Rivals,
): Promise<Pick<Remembered, 'superseded' | 'superseded_total' | 'conflicts_with' | 'conflicts_total'>> {
  const heads = [...superseded.heads, ...conflicts.heads]
  const excerpts = heads.length === 0 ? undefined : await readExcerpts(records, visible, heads, MAX_ANSWER_CHARACTERS)
  const toNamed = ({ id }: RecordHead) => {
    const excerpt = excerpts?.get(id)
    return excerpt === undefined ? [] : [{ id, ...excerpt }]
  }
  return {
    superseded: superseded.heads.flatMap(toNamed),
    ...(superseded.total > MAX_LISTED && { superseded_total: superseded.total }),
    conflicts_with: conflicts.heads.flatMap(toNamed),
    ...(conflicts.total > MAX_LISTED && { conflicts_total: conflicts.total }),
  }
}

/**
 * A record written by a person. With `confirm` it is verified at once. `seen` is given for a correction (`saveDraft`).
 */
type HandwrittenRecord = Static<typeof RememberArguments> & { projectId: string; confirm: boolean; seen?: string[] }

/**
 * `created` is false if the record already existed. `isContested`: it was to be verified and was not, because of a
 * rival that the person was not shown.
 */
export type SavedByHand = { id: string; created: boolean; isContested: boolean }

/**
 * Saves a record that a person wrote, as `rememberRecord` does, and verifies it if they confirm it.
 *
 * @throws Refusal as `rememberRecord` does.
 */
export async function saveByHand(
  ctx: AppContext,
  actor: Actor,
  { confirm, seen, ...args }: HandwrittenRecord,
): Promise<SavedByHand> {
  const { projectId } = args
  // Before the save, so that nothing comes between it and its audit event.
  const place = placeOf(await authorizeMemory(ctx, actor, projectId, 'write'))
  const { id, created, status } = await rememberRecord(ctx, actor, args, seen)
  await recordEventAlone(ctx, actor, { act: 'record.write', ...place, target: id, details: { created } })
  const isToVerify = confirm && status !== 'verified'
  return {
    id,
    created,
    isContested: isToVerify && !(await isVerifiedNow(ctx, actor, { projectId, id, seen: seen ?? [] })),
  }
}

/**
 * Verifies a record that was just saved, unless it has a rival that the person was not shown. Returns whether it did.
 */
export async function isVerifiedNow(
  ctx: AppContext,
  actor: Actor,
  input: { projectId: string; id: string; seen: string[] },
): Promise<boolean> {
  try {
    await verifyRecord(ctx, actor, input)
    return true
  } catch (error) {
    if (isFinalRefusal(error)) return false
    throw error
  }
}

/** What may change of a record whose content stays; the expiry stays too if it is left out. */
type Amendment = { phrases: string[]; expiresAt?: number | null }

/**
 * Replaces the phrases of a current record, which were read before, and its expiry; its content stays.
 *
 * @throws Refusal for a record that is not current any more or has other phrases since, for phrases that contain a
 *   credential or that the guard rejects, and if the project is full.
 */
export async function amendRecord(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  record: StoredRecord,
  { phrases, expiresAt = record.expiresAt }: Amendment,
): Promise<void> {
  const passed: string[] = []
  for (const text of phrases) passed.push(await passText(ctx, actor, memory, { field: 'asked_as', text }))
  const texts = { content: record.content, askedAs: joinPhrases(passed) }
  const isMarked = await passGuard(ctx, actor, memory, { ...record, ...texts })
  const entry = await toEntryInSlices(texts)
  await memory.records.write(async (tx) => {
    const present = await requireCurrent(tx, memory.visible, record.id)
    if (present.askedAs !== record.askedAs)
      throw new Refusal('somebody else changed the other wordings of this record just now; look again', 'asked_as')
    requireSameContent(record, present)
    await requireRoom(tx, { records: 0, contentBytes: bytesOf(texts) - bytesOf(present) }, limitsOf(memory.account))
    await tx.updateRecord(present.id, { askedAs: texts.askedAs, expiresAt, ...(isMarked && { marked: true }) })
    await tx.replaceEntry(present, entry)
  })
  await recordEventAlone(ctx, actor, {
    act: 'record.write',
    ...placeOf(memory),
    target: record.id,
    details: { created: false },
  })
}
