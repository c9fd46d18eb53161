import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import type { ProjectReads, ProjectStore } from '../../store/project.ts'
import type { ImportedSource } from '../../store/record.ts'
import type { OfSourcePlace } from '../../store/record-lists.ts'
import { eachSlice } from '../records/slices.ts'
import { forgetRecords } from '../records/trash/forget.ts'
import { authorizeMemory, type Memory, placeOf } from '../visibility.ts'
import { DEFAULT_WORKSPACE, findInAnyCase } from '../workspaces/workspace.ts'
import type { Item } from './entry.ts'
import { inspectStep } from './import-records.ts'
import type { NoteFolder } from './read-notes.ts'
import { createFindAuthor, type Step, stepsOf } from './steps.ts'

/**
 * Number of notes that were imported from a folder and are gone from it, and of the records that have them as their
 * source.
 */
export type GoneNotes = { notes: number; records: number }

type MirrorInput = {
  projectId: string
  /** Only what was imported into this workspace. */
  workspace: string | undefined
  folder: NoteFolder
  /** Count only. */
  dryRun: boolean
}

/**
 * Forgets every record of notes that were imported from this folder earlier and are no longer in it. A note that exists
 * but cannot be read is not gone. Records of other folders, and records that assistants saved under other sources,
 * stay.
 *
 * @throws Refusal for an actor who does not manage the account, and for a folder without notes, which may be a file
 *   system that is not mounted.
 */
export async function forgetGoneNotes(ctx: AppContext, actor: Actor, input: MirrorInput): Promise<GoneNotes> {
  const { projectId, folder, dryRun } = input
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  if (folder.notes.size === 0)
    throw new Refusal('the folder has no notes: nothing is forgotten, as all that came from it would be')
  const gone: GoneNotes = { notes: 0, records: 0 }
  for (const source of await listGone(memory.records, input)) {
    const [found] = await memory.records.findWorkspacesById([source.workspaceId])
    const workspace = found?.name ?? ''
    const records = await countRecords(memory.records, source)
    if (records > 0) gone.notes += 1
    gone.records += records
    if (dryRun) continue
    if (records > 0) await forgetRecords(ctx, actor, { projectId, source_id: source.sourceId, workspace })
    await memory.records.write((tx) => tx.deleteImportedSource(source))
  }
  const details = { forgotten: gone.records }
  if (!dryRun)
    await recordEventAlone(ctx, actor, { act: 'project.mirror', ...placeOf(memory), target: projectId, details })
  return gone
}

/** A note that an import would refuse, or its first section, and why. */
type RefusedNote = { where: string; reason: string }

/** Places of notes that an import would save, and of those that it would refuse. */
export type ChangedNotes = { changed: string[]; refusals: RefusedNote[] }

type CheckInput = {
  projectId: string
  workspace: string | undefined
  member: Member | undefined
  items: AsyncIterable<Item>
}

/**
 * The notes whose state in the folder is not the one last saved, as an import with `workspace` would save them; new
 * notes too. Refusals are notes that cannot be read, and those whose every section the import would refuse, whatever the
 * plan's limits.
 */
export async function findChangedNotes(ctx: AppContext, actor: Actor, input: CheckInput): Promise<ChangedNotes> {
  const { projectId, workspace, member, items } = input
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const findAuthor = await createFindAuthor(ctx, memory.account, member)
  const found: ChangedNotes = { changed: [], refusals: [] }
  for await (const item of items) {
    if (await isCurrent(memory.records, item, workspace)) continue
    const refused = await findRefusal(ctx, actor, memory, stepsOf(ctx, findAuthor, workspace, item))
    if (refused === undefined) found.changed.push(item.where)
    else found.refusals.push(refused)
  }
  return found
}

/** Whether the state of a note is the one last saved. A note without text has none. */
async function isCurrent(project: ProjectReads, item: Item, workspace: string | undefined): Promise<boolean> {
  if ('refused' in item) return false
  const [entry] = item.entries
  if (entry?.source_id === undefined) return true
  const found = await findInAnyCase(project, undefined, workspace ?? entry.workspace ?? DEFAULT_WORKSPACE)
  if (found === undefined) return false
  const [current] = await project.findCurrentHashes(undefined, [{ workspaceId: found.id, sourceId: entry.source_id }])
  return current === entry.source_hash
}

/** The first of the steps, and why it is refused; undefined if any of them is not. */
async function findRefusal(
  ctx: AppContext,
  actor: Actor,
  memory: Memory,
  steps: AsyncIterable<Step>,
): Promise<RefusedNote | undefined> {
  let refused: RefusedNote | undefined
  for await (const step of steps) {
    const inspected = await inspectStep(ctx, actor, memory, step, true)
    if (!(inspected instanceof Refusal)) return undefined
    refused ??= { where: step.where, reason: inspected.message }
  }
  return refused
}

/** Sources read at once. */
const BATCH_SOURCES = 500

async function listGone(project: ProjectStore, { folder, workspace }: MirrorInput): Promise<ImportedSource[]> {
  const only = workspace === undefined ? undefined : await findInAnyCase(project, undefined, workspace)
  const gone: ImportedSource[] = []
  const read = async (after?: ImportedSource) => {
    const batch = await project.listImportedSources(folder.root, { after, limit: BATCH_SOURCES })
    return { batch, next: batch.length < BATCH_SOURCES ? undefined : batch.at(-1) }
  }
  for await (const { batch } of eachSlice(read)) {
    const active = new Set(
      (await project.findWorkspacesById(batch.map(({ workspaceId }) => workspaceId))).flatMap(toActiveId),
    )
    const isAsked = (id: number) => active.has(id) && (workspace === undefined || id === only?.id)
    gone.push(...batch.filter(({ sourceId, workspaceId }) => !folder.notes.has(sourceId) && isAsked(workspaceId)))
  }
  return gone
}

const toActiveId = ({ id, removedAt }: { id: number; removedAt: number | null }) => (removedAt === null ? [id] : [])

async function countRecords(project: ProjectStore, { workspaceId, sourceId }: ImportedSource): Promise<number> {
  let records = 0
  const read = (after?: OfSourcePlace) => project.listSourceSlice({ visible: undefined, workspaceId, sourceId, after })
  for await (const { heads } of eachSlice(read)) records += heads.length
  return records
}
