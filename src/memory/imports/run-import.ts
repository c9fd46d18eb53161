import { createReadStream } from 'node:fs'
import type { MemberActor } from '../../account/auth/actor.ts'
import { Notice, Refusal } from '../../errors.ts'
import { shorten } from '../records/text-argument.ts'
import type { Item } from '../transfer/entry.ts'
import { importRecords, type Watch } from '../transfer/import-records.ts'
import { readJsonLines } from '../transfer/read-json-lines.ts'
import { eraseFile, type ImportRun, isUnderWay, NO_COUNTS } from './import-runs.ts'
import { type ImportContext, type ImportRef, requireImport } from './receive.ts'

/**
 * Bounds of a line, so that none blocks other work for long: a record of the largest content fits, however it is
 * escaped.
 */
const LINE_BOUNDS = { lineBytes: 512 * 1024, lineEntries: 500 }
/** Maximum number of lines that are read, and of refusals that are kept until the import is discarded. */
const MAX_ITEMS = 300_000
const MAX_REFUSALS = 500

/**
 * Starts the dry run of a file that has arrived, and does not wait for its end.
 *
 * @throws Refusal as `requireImport`, and if the file has not arrived completely.
 */
export async function checkImport(ctx: ImportContext, actor: MemberActor, ref: ImportRef): Promise<void> {
  const run = await requireImport(ctx, actor, ref)
  if (run.stage !== 'receiving') return
  if (run.received !== run.size) throw new Refusal('the file did not arrive whole; choose it again')
  begin(ctx, actor, run, 'checking')
}

/**
 * Starts to import a checked file, and does not wait for its end.
 *
 * @throws Refusal as `requireImport`, and if it was not checked.
 */
export async function startImport(ctx: ImportContext, actor: MemberActor, ref: ImportRef): Promise<void> {
  const run = await requireImport(ctx, actor, ref)
  if (run.stage === 'importing') return
  if (run.stage !== 'checked') throw new Refusal('this file was not checked; choose it again')
  begin(ctx, actor, run, 'importing')
}

/** Stops the check or import in progress. Records that were saved stay. Throws as `requireImport`. */
export async function stopImport(ctx: ImportContext, actor: MemberActor, ref: ImportRef): Promise<void> {
  const run = await requireImport(ctx, actor, ref)
  if (isUnderWay(run)) run.stage = 'stopped'
}

function begin(ctx: ImportContext, actor: MemberActor, run: ImportRun, stage: 'checking' | 'importing'): void {
  Object.assign(run, { stage, read: 0, counts: NO_COUNTS, refusals: [], moreRefusals: 0, touchedAt: ctx.clock.now() })
  const { work } = ctx.imports
  const done = readAll(ctx, actor, run, stage === 'checking')
    .then(() => end(ctx, run))
    .catch((error) => fail(ctx, run, error))
    .finally(() => work.delete(done))
  work.add(done)
}

async function readAll(ctx: ImportContext, actor: MemberActor, run: ImportRun, dryRun: boolean): Promise<void> {
  const { projectId, workspace } = run
  const items = limitItems(readJsonLines(countRead(run), LINE_BOUNDS))
  await importRecords(ctx, actor, {
    projectId,
    workspace,
    member: actor.member,
    items,
    dryRun,
    watch: toWatch(ctx, run),
  })
}

function toWatch({ imports }: ImportContext, run: ImportRun): Watch {
  return {
    refused: (where, reason) => {
      if (run.refusals.length < MAX_REFUSALS) run.refusals.push({ where, reason: shorten(reason) })
      else run.moreRefusals += 1
    },
    progress: (counts) => {
      run.counts = { ...counts }
    },
    isStopped: () => !isUnderWay(run) || imports.isStopped(),
  }
}

async function* countRead(run: ImportRun): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(run.path)) {
    run.read += chunk.length
    yield chunk
  }
}

async function* limitItems(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let count = 0
  for await (const item of items) {
    count += 1
    if (count > MAX_ITEMS) {
      yield {
        where: item.where,
        refused: `the file has more than ${MAX_ITEMS} lines; the rest is not read: use 'memsvc import'`,
      }
      return
    }
    yield item
  }
}

function end({ clock }: ImportContext, run: ImportRun): void {
  run.touchedAt = clock.now()
  if (run.stage === 'checking') run.stage = 'checked'
  else {
    if (run.stage === 'importing') run.stage = 'done'
    eraseFile(run)
  }
}

function fail(ctx: ImportContext, run: ImportRun, error: unknown): void {
  const isTold = error instanceof Refusal || error instanceof Notice
  run.stage = 'failed'
  run.failure = isTold ? error.message : 'the service could not go on; its log says why'
  run.touchedAt = ctx.clock.now()
  eraseFile(run)
  if (!isTold)
    ctx.log('an import failed', {
      project: run.projectId,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
}
