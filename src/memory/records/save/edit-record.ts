import type { Actor } from '../../../account/auth/actor.ts'
import type { Caller } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { toIsoTime } from '../../../clock.ts'
import { Refusal } from '../../../errors.ts'
import type { ProjectReads } from '../../../store/project.ts'
import { joinPhrases, type StoredRecord, type Visible } from '../../../store/record.ts'
import { toComparableContent } from '../../../text/comparable.ts'
import { authorizeMemory, scopeOf, visibleTo } from '../../visibility.ts'
import { requireWorkspaceById } from '../../workspaces/workspace.ts'
import { requireAnyRecord } from '../lists/list-records.ts'
import { readTime, requireFuture } from '../text-argument.ts'
import { requireCurrent } from '../verify.ts'
import { readPhrases } from './draft.ts'
import { amendRecord, isVerifiedNow, type SavedByHand, saveByHand } from './remember.ts'
import { ANY_STATUS, listRivals, MAX_SETTLED_AT_ONCE } from './rivals.ts'

/**
 * A correction of a record. `seen` has the ids of other current records of its fact key that the person was shown, and
 * which it supersedes too.
 */
type EditInput = {
  projectId: string
  id: string
  content: string
  /** All phrases that the record is to have. */
  askedAs: string[]
  /** As `remember` takes it. If it is the day of the present expiry, the expiry keeps its time of day. */
  expiresAt: string | undefined
  confirm: boolean
  seen: string[]
}

/**
 * `isProposal`: the corrected record stays current until a person decides, because it is verified and the correction is
 * not. `isAmended`: of an unchanged content, whether phrases or expiry changed; otherwise it was only to be verified.
 */
export type Edited = SavedByHand & { isProposal: boolean; isAmended?: boolean }

/**
 * A record that is to be edited, and the other current records of its fact key, which a correction supersedes too.
 * `others` is undefined if they are more than `MAX_SETTLED_AT_ONCE`, as they may be if the key was derived: then the
 * record cannot be edited.
 */
export type Editable = { record: StoredRecord; others: StoredRecord[] | undefined }

/**
 * Reads a record that is to be edited.
 *
 * @throws Refusal for a record that does not exist, forgotten or superseded.
 */
export async function readEditable({ store }: AppContext, caller: Caller, id: string): Promise<Editable> {
  return findEditable(store.project(caller.projectId), visibleTo(caller), id)
}

/**
 * A record that was being edited, and the newest current record of its fact: that record itself, unless somebody
 * corrected or forgot it meanwhile.
 */
type Present = { record: StoredRecord; present: StoredRecord | undefined }

/**
 * Reads what is there now of a fact whose record was being edited.
 *
 * @throws Refusal for a record that does not exist.
 */
export async function readPresent({ store }: AppContext, caller: Caller, id: string): Promise<Present> {
  return findPresent(store.project(caller.projectId), visibleTo(caller), id)
}

/**
 * Saves a correction: a new record by the actor with the same fact key, workspace and scope, which supersedes the
 * corrected one. A verified record is superseded only if the correction is confirmed; otherwise both stay current, for
 * review. The correction keeps the source, and the source hash only if that is still the current one, since a corrected
 * text does not mean that the source has returned to an earlier state. If somebody saved the same correction meanwhile
 * (or the form was sent twice), that is the answer, with `created: false`.
 *
 * With an unchanged content the record itself gets the phrases and the expiry, and is verified if the person confirms it.
 *
 * @throws Refusal as `readEditable` and `rememberRecord` do, for a record that cannot be edited, if nothing would
 *   change, and if there is another record of the fact key that was not seen.
 */
export async function editRecord(
  ctx: AppContext,
  actor: Actor,
  { projectId, id, seen, ...input }: EditInput,
): Promise<Edited> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const { records, visible } = memory
  const phrases = readPhrases(input.askedAs)
  const { present } = await findPresent(records, visible, id)
  if (
    present !== undefined &&
    present.id !== id &&
    toComparableContent(input.content) === toComparableContent(present.content)
  )
    return { id: present.id, created: false, isContested: false, isProposal: false }
  const { record, others } = await findEditable(records, visible, id)
  if (others === undefined)
    throw new Refusal(
      `more than ${MAX_SETTLED_AT_ONCE} other records have the fact key that was derived for this one; save a new record and forget this one`,
    )
  if (toComparableContent(input.content) === toComparableContent(record.content)) {
    const expiresAt = readExpiry(record, input.expiresAt, ctx.clock.now())
    const isAmended = joinPhrases(phrases) !== record.askedAs || expiresAt !== record.expiresAt
    const isToVerify = input.confirm && record.status !== 'verified'
    if (!isAmended && !isToVerify) throw new Refusal('the text is the same as before', 'content')
    if (isAmended) await amendRecord(ctx, actor, memory, record, { phrases, expiresAt })
    const isContested = isToVerify && !(await isVerifiedNow(ctx, actor, { projectId, id, seen: [id, ...seen] }))
    return { id, created: false, isContested, isProposal: false, isAmended }
  }
  const written = await saveByHand(ctx, actor, {
    projectId,
    content: input.content,
    asked_as: phrases,
    fact_key: record.factKey,
    workspace: (await requireWorkspaceById(records, record.workspaceId)).name,
    scope: scopeOf(record.audience),
    ...(await keptSource(records, visible, record)),
    ...toExpiry(record, input.expiresAt),
    confirm: input.confirm,
    seen: [id, ...seen],
  })
  return { ...written, isProposal: record.status === 'verified' && !input.confirm }
}

/** The expiry that is wanted for a record whose content stays. One that has passed is not shown, and stays. */
function readExpiry(record: StoredRecord, typed: string | undefined, now: number): number | null {
  const { expires_at: text } = toExpiry(record, typed)
  if (text === undefined) return record.expiresAt !== null && record.expiresAt <= now ? record.expiresAt : null
  return requireFuture(readTime('expires_at', text), now)
}

function toExpiry({ expiresAt }: StoredRecord, typed: string | undefined): { expires_at?: string } {
  if (typed === undefined) return {}
  const present = expiresAt === null ? '' : toIsoTime(expiresAt)
  return { expires_at: present.slice(0, 10) === typed ? present : typed }
}

async function findEditable(reads: ProjectReads, visible: Visible, id: string): Promise<Editable> {
  const record = await requireCurrent(reads, visible, id)
  const others = (await listCurrent(reads, visible, record)).filter((other) => other.id !== id)
  return { record, others: others.length > MAX_SETTLED_AT_ONCE ? undefined : others }
}

async function findPresent(reads: ProjectReads, visible: Visible, id: string): Promise<Present> {
  const record = await requireAnyRecord(reads, visible, id)
  if (record.forgottenAt === null && record.status !== 'superseded') return { record, present: record }
  const [present] = (await listCurrent(reads, visible, record)).sort((a, b) => b.seq - a.seq)
  return { record, present }
}

/** Up to ten current records of the fact key of a record: what a correction of it would supersede. */
async function listCurrent(reads: ProjectReads, visible: Visible, record: StoredRecord): Promise<StoredRecord[]> {
  // The rivals of a correction with any text: its key counts as given, and the empty content differs from every
  // record's.
  const met = await listRivals(
    reads,
    { ...record, content: '', factKeyGiven: true },
    ANY_STATUS,
    MAX_SETTLED_AT_ONCE + 2,
  )
  return reads.findRecordsBySeq(
    visible,
    met.map(({ seq }) => seq),
  )
}

async function keptSource(reads: ProjectReads, visible: Visible, { workspaceId, sourceId, sourceHash }: StoredRecord) {
  if (sourceId === null) return {}
  const [current] = await reads.findCurrentHashes(visible, [{ workspaceId, sourceId }])
  return { source_id: sourceId, ...(sourceHash !== null && sourceHash === current && { source_hash: sourceHash }) }
}
