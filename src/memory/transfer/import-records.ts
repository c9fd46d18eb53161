import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, mayManage, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { DamagedProject, Refusal, StorageRefusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import { settleOrphans } from '../records/save/heirs.ts'
import { passCredentials, passText } from '../rejections/pass-credentials.ts'
import { passGuard } from '../rejections/pass-guard.ts'
import { authorizeMemory, departmentOf, type Memory, placeOf } from '../visibility.ts'
import { findInAnyCase } from '../workspaces/workspace.ts'
import type { IncomingRecord, Item } from './entry.ts'
import { createSaveAll, type Outcome } from './save-batches.ts'
import { type Pending, settlePending } from './save-incoming.ts'
import { type Place, toFilePlace } from './sections.ts'
import { createFindAuthor, requireRefusal, type Step, toSteps } from './steps.ts'

/** Callbacks of an import: each refusal as it occurs, progress after each batch, and whether to stop. */
export type Watch = {
  refused: (where: string, reason: string) => void
  progress: (counts: Counts) => void
  isStopped: () => boolean
}

/**
 * Numbers of records by outcome; an item that could not be read counts as one refusal. `byUnknownAuthors` is a part of
 * `saved`.
 */
export type Counts = { saved: number; there: number; forgotten: number; refused: number; byUnknownAuthors: number }

/** `workspace` overrides what the items name. Records that name no author of the account are saved under `member`. */
type ImportInput = {
  projectId: string
  workspace: string | undefined
  member: Member | undefined
  items: AsyncIterable<Item>
  /**
   * The folder that the items are notes of. Its sources are stored, so that a later import can tell which of them are
   * gone.
   */
  folder?: string | undefined
  /** Only report the outcome of each item, and save nothing. */
  dryRun?: boolean | undefined
  watch: Watch
}

/** Whether the member who began the import still has the right to it, looked up again during a long import. */
async function isStillManager({ store }: AppContext, actor: Actor): Promise<boolean> {
  if (actor.kind !== 'member') return true
  const member = await store.control.find('members', { id: actor.member.id, removedAt: null })
  return member !== undefined && mayManage(member)
}

/** Pause between two batches, in which other work runs. */
const PAUSE_MS = 2

/**
 * Saves the records of the items, in order, by the rules of `remember`. A refused record does not stop the import; one
 * that already exists is skipped. A record that the member could not see afterwards is refused. The import ends if the
 * member loses the right to it. An audit event is recorded at the end; a dry run records none, and does not notice when
 * there would be too many workspaces.
 *
 * @throws Refusal for an actor who does not manage the account, and as soon as the storage fails, with the number of
 *   records that were saved.
 */
export async function importRecords(ctx: AppContext, actor: Actor, input: ImportInput): Promise<Counts> {
  const counts: Counts = { saved: 0, there: 0, forgotten: 0, refused: 0, byUnknownAuthors: 0 }
  try {
    await importInto(counts, ctx, actor, input)
  } catch (error) {
    if (input.dryRun || !(error instanceof StorageRefusal) || error instanceof DamagedProject) throw error
    throw new Refusal(
      `${error.reason}, so the import ended after ${counts.saved} records were saved; import it again to continue`,
    )
  }
  return counts
}

async function importInto(counts: Counts, ctx: AppContext, actor: Actor, input: ImportInput): Promise<void> {
  const { projectId, workspace: wished, member, items, folder, dryRun = false, watch } = input
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  const workspace =
    wished === undefined ? undefined : ((await findInAnyCase(memory.records, memory.visible, wished))?.name ?? wished)
  const findAuthor = await createFindAuthor(ctx, memory.account, member)
  const pending: Pending[] = []
  const saveAll = createSaveAll(memory, folder, dryRun, pending)
  for await (const steps of toSteps(ctx, findAuthor, workspace, items)) {
    if (!(await isStillManager(ctx, actor))) {
      watch.refused('the rest', 'the importer is no longer allowed to import')
      break
    }
    const batch: (IncomingRecord | Refusal)[] = []
    for (const step of steps) batch.push(await inspectStep(ctx, actor, memory, step, dryRun))
    const outcomes = await saveAll(batch)
    for (const [at, step] of steps.entries()) count(counts, watch, step, outcomes[at])
    watch.progress(counts)
    const fault = outcomes.find((outcome) => outcome instanceof StorageRefusal)
    if (fault !== undefined) throw fault
    if (watch.isStopped()) break
    await Bun.sleep(PAUSE_MS)
  }
  if (dryRun) return
  await settlePending(memory.records, pending)
  await settleOrphans(memory.records, ctx.clock.now(), watch.isStopped)
  const details = { saved: counts.saved, refused: counts.refused }
  await recordEventAlone(ctx, actor, { act: 'project.import', ...placeOf(memory), target: projectId, details })
}

/**
 * The record of a step, or why it is refused. A whole batch is inspected before its first record is saved, since the
 * guard may take long.
 */
export async function inspectStep(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  step: Step,
  isTrial: boolean,
): Promise<IncomingRecord | Refusal> {
  if ('refused' in step) return new Refusal(step.refused)
  try {
    requireSeen(memory, step.incoming)
    const { section } = step
    const toPlace = section && ((place: Place) => toFilePlace(section, place))
    const draft = await passCredentials(ctx, actor, memory, step.incoming.draft, { isTrial, toPlace })
    const { source: given } = step.incoming
    const source = given && {
      ...given,
      hash: await passText(ctx, actor, memory, { field: 'source_current_hash', text: given.hash, isTrial }),
    }
    const isMarked = await passGuard(ctx, actor, memory, { ...draft, currentHash: source?.hash }, isTrial)
    return { ...step.incoming, source, draft: { ...draft, marked: isMarked && draft.verifiedAt === null } }
  } catch (error) {
    return requireRefusal(error)
  }
}

/** Refuses a record that the importer could not read: the outcome would reveal whether it already exists. */
function requireSeen({ visible }: Memory, { draft: { audience } }: IncomingRecord): void {
  if (visible === undefined || visible.includes(audience)) return
  throw new Refusal(
    departmentOf(audience) === undefined
      ? 'it is a draft of somebody else, which only they see'
      : 'it is of a department that you are not in',
  )
}

function count(counts: Counts, watch: Watch, step: Step, outcome: Outcome | undefined): void {
  if (outcome === undefined || outcome instanceof StorageRefusal) return
  if (outcome instanceof Refusal) {
    counts.refused += 1
    watch.refused(step.where, outcome.message)
    return
  }
  counts[outcome] += 1
  if (outcome === 'saved' && 'unknownAuthor' in step && step.unknownAuthor !== undefined) counts.byUnknownAuthors += 1
}
