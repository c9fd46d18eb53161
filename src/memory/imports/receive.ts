import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MemberActor, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal, StorageRefusal, toErrorCode } from '../../errors.ts'
import { createGate } from '../../semaphore.ts'
import { authorizeMemory } from '../visibility.ts'
import { requireWorkspaceName } from '../workspaces/workspace.ts'
import {
  eraseFile,
  type ImportRun,
  type ImportRuns,
  isUnderWay,
  MAX_RUNS,
  makeFolder,
  NO_COUNTS,
  RUN_LIFETIME_MS,
} from './import-runs.ts'

export type ImportContext = AppContext & { imports: ImportRuns }

/** The largest file that is imported in the console, in bytes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_FILE_NAME_CHARACTERS = 200

/** A file that is about to be sent. */
export type NewImport = { projectId: string; fileName: string; size: number; workspace: string | undefined }

/**
 * Begins an import of a file of `size` bytes, which then arrives in parts. An earlier import of the actor, in any
 * project, is discarded, unless it is in progress.
 *
 * @throws Refusal for an actor who does not manage the project's account, for an empty or too large file, while an
 *   import of the actor is in progress, and if too many people import; StorageRefusal if the disk takes no file.
 */
export async function beginImport(ctx: ImportContext, actor: MemberActor, input: NewImport): Promise<ImportRun> {
  const { projectId, size, workspace } = input
  await authorizeImport(ctx, actor, projectId)
  if (!Number.isSafeInteger(size) || size <= 0) throw new Refusal('choose a file that is not empty', 'file')
  if (size > MAX_FILE_BYTES)
    throw new Refusal(
      `the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB; 'memsvc import' reads files of any size`,
      'file',
    )
  if (workspace !== undefined) requireWorkspaceName(workspace)
  giveUpBefore(ctx, actor)
  const now = ctx.clock.now()
  const id = ctx.random.uuid(now)
  const path = join(ctx.imports.folder, `${id}.jsonl`)
  const run = toNewRun(actor, input, { id, path, now })
  // Registered before the file is written, so that of two concurrent calls the second replaces the first.
  ctx.imports.runs.set(actor.member.id, run)
  await keepFile(ctx, run, async () => {
    makeFolder(ctx.imports, now)
    await writeFile(path, '', { mode: 0o600 })
  })
  return run
}

function toNewRun(
  { member }: MemberActor,
  { projectId, fileName, size, workspace }: NewImport,
  { id, path, now }: { id: string; path: string; now: number },
): ImportRun {
  return {
    id,
    projectId,
    memberId: member.id,
    fileName: fileName.slice(0, MAX_FILE_NAME_CHARACTERS),
    workspace,
    path,
    inTurn: createGate(1),
    size,
    received: 0,
    read: 0,
    stage: 'receiving',
    counts: NO_COUNTS,
    refusals: [],
    moreRefusals: 0,
    failure: undefined,
    touchedAt: now,
  }
}

const isThere = ({ imports }: ImportContext, run: ImportRun) => imports.runs.get(run.memberId) === run

/** Writes to the file of a run. If that fails, the run is given up. @throws StorageRefusal */
async function keepFile(ctx: ImportContext, run: ImportRun, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    eraseFile(run)
    if (isThere(ctx, run)) ctx.imports.runs.delete(run.memberId)
    throw new StorageRefusal('the file cannot be kept on the disk of the service', toErrorCode(error))
  }
  // The run was discarded, and its file erased, while this wrote.
  if (!isThere(ctx, run)) eraseFile(run)
}

function giveUpBefore({ imports, clock }: ImportContext, { member }: MemberActor): void {
  const { runs } = imports
  const own = runs.get(member.id)
  if (own !== undefined && isUnderWay(own))
    throw new Refusal('an import of yours is in progress; wait for its end, or stop it')
  const expired = [...runs.values()].filter((run) => !isUnderWay(run) && clock.now() - run.touchedAt > RUN_LIFETIME_MS)
  for (const run of own === undefined ? expired : [...expired, own]) {
    eraseFile(run)
    runs.delete(run.memberId)
  }
  if (runs.size >= MAX_RUNS) throw new Refusal('too many people import files just now; try again later')
}

/** A part of the file, which begins at byte `offset` of it. */
type ImportPart = { projectId: string; id: string; offset: number; bytes: Uint8Array }

const NOT_THERE = 'this import is not there any more; choose the file again'

/**
 * Appends the next part of a file, after those that are being written. A part that was appended before is ignored, so
 * that a client that missed the answer can send it again.
 *
 * @throws Refusal for a part that is not the next one, or that exceeds the announced size; StorageRefusal if it cannot
 *   be written, which ends the import.
 */
export async function receivePart(
  ctx: ImportContext,
  actor: MemberActor,
  { projectId, id, offset, bytes }: ImportPart,
): Promise<void> {
  const run = await requireImport(ctx, actor, { projectId, id })
  await run.inTurn(async () => {
    if (!isThere(ctx, run)) throw new Refusal(NOT_THERE)
    if (offset + bytes.length <= run.received) return
    if (run.stage !== 'receiving' || offset !== run.received || run.received + bytes.length > run.size)
      throw new Refusal('this is not the next part of the file; choose the file again')
    await keepFile(ctx, run, () => appendFile(run.path, bytes))
    run.received += bytes.length
    run.touchedAt = ctx.clock.now()
  })
}

/** Identifies an import, so that an action applies to the one that its page showed. */
export type ImportRef = { projectId: string; id: string }

/**
 * The actor's import with this id in this project.
 *
 * @throws Refusal for an actor who does not manage the project's account, and if there is none of this id any more.
 */
export async function requireImport(
  ctx: ImportContext,
  actor: MemberActor,
  { projectId, id }: ImportRef,
): Promise<ImportRun> {
  const run = await findImport(ctx, actor, projectId)
  if (run === undefined || run.id !== id) throw new Refusal(NOT_THERE)
  return run
}

/**
 * The actor's import in this project, if there is one.
 *
 * @throws Refusal for an actor who does not manage the project's account.
 */
export async function findImport(
  ctx: ImportContext,
  actor: MemberActor,
  projectId: string,
): Promise<ImportRun | undefined> {
  await authorizeImport(ctx, actor, projectId)
  const run = ctx.imports.runs.get(actor.member.id)
  return run?.projectId === projectId ? run : undefined
}

async function authorizeImport(ctx: ImportContext, actor: MemberActor, projectId: string): Promise<void> {
  const { account } = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, account.id)
}

/**
 * Discards an import: its file is erased, and records that it saved stay. Throws as `requireImport`, and while it is in
 * progress.
 */
export async function discardImport(ctx: ImportContext, actor: MemberActor, ref: ImportRef): Promise<void> {
  const run = await requireImport(ctx, actor, ref)
  if (isUnderWay(run)) throw new Refusal('it is in progress; stop it first')
  eraseFile(run)
  ctx.imports.runs.delete(run.memberId)
}
