import { DAY_MS, MINUTE_MS } from '../clock.ts'
import type { Entity, Filter } from '../store/control.ts'
import { BROWSER_LIFETIME_MS } from './auth/session.ts'
import type { AppContext } from './context.ts'
import { UNDO_MS } from './undo.ts'
import { CALL_ERROR_DAYS } from './usage/call-errors.ts'
import { toDay, USE_DAYS } from './usage/call-uses.ts'

const UPKEEP_INTERVAL_MS = MINUTE_MS
const USES_BATCH = 500
/** Rows of one statement, which takes a few milliseconds to build and run. */
const ERRORS_BATCH = 100
/** Rows erased in one transaction, so that others wait for some milliseconds at most. */
const ERASED_ROWS = 500

/**
 * Once a minute writes when keys and connections were used, how often tools were called and which calls were refused or
 * failed, erases old audit events, counts of calls and refused calls, ended sessions, old undos and browsers long
 * unused, and has the store tidy up. Where several instances work on the same data, each writes its own uses, and one
 * does the rest. What is old enough to be erased is judged by `readNow`, which may differ from the clock. Failures are
 * logged. Returns the function that stops it, which resolves when the run in progress has ended; what that leaves is
 * erased another time.
 */
export function startUpkeep(
  ctx: AppContext,
  readNow: () => number,
  intervalMs = UPKEEP_INTERVAL_MS,
): () => Promise<void> {
  let isStopped = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await upkeep(ctx, readNow(), () => isStopped).catch((error) => ctx.log('upkeep failed', { error: String(error) }))
    running = undefined
  }

  const timer = setInterval(() => {
    running ??= run()
  }, intervalMs)
  timer.unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}

async function upkeep(ctx: AppContext, now: number, isStopped: () => boolean): Promise<void> {
  await writeUses(ctx)
  await ctx.store.runAlone('upkeep', async () => {
    await eraseOld(ctx, now, isStopped)
    if (!isStopped()) await tidy(ctx)
  })
}

/** Erases what is no longer kept at `now`, in short transactions that let other writes in between, until it is stopped. */
export async function eraseOld(
  { store: { control }, config }: AppContext,
  now: number,
  isStopped: () => boolean,
): Promise<void> {
  const erase = async <Name extends Entity>(entity: Name, filter: Filter<Name>) => {
    while (!isStopped() && (await control.write((tx) => tx.delete(entity, filter, ERASED_ROWS))) === ERASED_ROWS);
  }
  await erase('audit', { at: { before: now - config.auditDays * DAY_MS } })
  await erase('dailyUse', { day: { before: toDay(now) - USE_DAYS } })
  await erase('callErrors', { at: { before: now - CALL_ERROR_DAYS * DAY_MS } })
  await erase('sessions', { expiresAt: { before: now + 1 } })
  await erase('entryLinks', { expiresAt: { before: now + 1 } })
  await erase('undos', { createdAt: { before: now - UNDO_MS } })
  await erase('browsers', { usedAt: { before: now - BROWSER_LIFETIME_MS } })
}

/**
 * Has the store tidy up. Where it cannot, because the disk is full or another process holds a file, that is logged:
 * only speed suffers.
 */
export async function tidy({ store, log }: AppContext): Promise<void> {
  await store.tidy().catch((error) => log('the store was not put in order', { error: String(error) }))
}

/**
 * Writes when keys and connections were last used, how often tools were called, and which calls were refused or failed:
 * together, so that a call does not cost a write. A crash, or a write that fails, loses those of the last minute.
 */
export async function writeUses({ store, keyUses, connectionUses, callUses, callErrors }: AppContext): Promise<void> {
  await drain(keyUses, (uses) => store.control.write((tx) => tx.saveUses('keys', uses)))
  await drain(connectionUses, (uses) => store.control.write((tx) => tx.saveUses('connections', uses)))
  await drain(callUses, (uses) => store.control.write((tx) => tx.addDailyUse(uses)))
  await drain(callErrors, (errors) => store.control.write((tx) => tx.insert('callErrors', errors)), ERRORS_BATCH)
}

async function drain<One>(
  uses: { take: (limit: number) => One[] },
  save: (taken: One[]) => Promise<void>,
  batch = USES_BATCH,
): Promise<void> {
  for (let taken = uses.take(batch); taken.length > 0; taken = uses.take(batch)) await save(taken)
}
