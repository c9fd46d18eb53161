import type { AppContext } from '../../account/context.ts'
import { createLru, type Lru } from '../../cache/lru.ts'
import { MINUTE_MS, SECOND_MS } from '../../clock.ts'
import type { Memory } from '../visibility.ts'

type State = { version: number; minute: number; ticks: number }
type Kept<Counts> = { counts: Counts; countedAt: number; state: State }
type Entry<Counts> = { kept?: Kept<Counts>; counting?: Promise<void> | undefined; failure?: unknown }

/**
 * Key: project, the viewer's audiences, and what is counted. Of each the last numbers, the counting that is in
 * progress, and why the last counting failed. Numbers are current for one version of the project and one minute, since
 * records expire.
 */
export type KeptCounts<Counts> = Lru<string, Entry<Counts>>

const MAX_ENTRIES = 200

export const createKeptCounts = <Counts>(maxEntries = MAX_ENTRIES): KeptCounts<Counts> => createLru({ maxEntries })

/** `countedAt` is in milliseconds since 1970; `isCurrent` is false if the numbers may have changed since. */
export type Counted<Counts> = Counts & { countedAt: number; isCurrent: boolean }

/** What is counted of the records that the reader of a memory may see, and where the numbers are kept. */
type Counting<Counts> = { kept: KeptCounts<Counts>; name: string; count: () => Promise<Counts> }

/**
 * Counting more records than this takes 0.1 s and more: no page waits for it, and it is not repeated within `KEEP_MS`,
 * although open pages refresh after each save.
 */
export const MANY_RECORDS = 20_000
const KEEP_MS = 10 * SECOND_MS
/** Within this time the page is answered that begins a counting in the background. */
const COUNT_AFTER_MS = 100

/** Counts, unless the kept numbers are current. */
export async function countNow<Counts>(
  ctx: AppContext,
  memory: Memory,
  counting: Counting<Counts>,
): Promise<Counted<Counts>> {
  const entry = entryOf(memory, counting)
  const state = await readState(ctx, memory)
  if (entry.kept === undefined || !isSame(entry.kept.state, state)) entry.kept = await count(ctx, counting, state)
  return toCounted(entry.kept, state)
}

/**
 * The last numbers of `countNow`, or undefined if there are none, without waiting for a counting. Numbers that are
 * older than ten seconds, and no longer current, are counted anew in the background.
 *
 * @throws once, why the last counting in the background failed.
 */
export async function countMeanwhile<Counts>(
  ctx: AppContext,
  memory: Memory,
  counting: Counting<Counts>,
): Promise<Counted<Counts> | undefined> {
  const entry = entryOf(memory, counting)
  const state = await readState(ctx, memory)
  const { failure, kept } = entry
  entry.failure = undefined
  if (failure !== undefined) throw failure
  if (kept === undefined || !holds(kept.state, state))
    entry.counting ??= countLater(entry, async () => count(ctx, counting, await readState(ctx, memory)))
  return kept && toCounted(kept, state)
}

/** As `countMeanwhile` if the viewer sees many records, and otherwise as `countNow`. */
export async function countPresent<Counts>(
  ctx: AppContext,
  memory: Memory,
  counting: Counting<Counts>,
): Promise<Counted<Counts> | undefined> {
  const isLarge = (await memory.records.countRecords(memory.visible)) > MANY_RECORDS
  return (isLarge ? countMeanwhile : countNow)(ctx, memory, counting)
}

/** Counts once the page that asked for it is answered. */
async function countLater<Counts>(entry: Entry<Counts>, counting: () => Promise<Kept<Counts>>): Promise<void> {
  try {
    await Bun.sleep(COUNT_AFTER_MS)
    entry.kept = await counting()
  } catch (error) {
    entry.failure = error
  }
  entry.counting = undefined
}

function entryOf<Counts>({ projectId, visible }: Memory, { kept, name }: Counting<Counts>): Entry<Counts> {
  const key = `${projectId} ${visible?.join(' ')} ${name}`
  const entry = kept.get(key) ?? {}
  kept.set(key, entry)
  return entry
}

async function readState({ clock }: AppContext, { records }: Memory): Promise<State> {
  return { version: await records.version(), minute: Math.floor(clock.now() / MINUTE_MS), ticks: clock.ticks() }
}

const isSame = (a: State, b: State) => a.version === b.version && a.minute === b.minute

const holds = (kept: State, present: State) => isSame(kept, present) || present.ticks - kept.ticks < KEEP_MS

const toCounted = <Counts>({ counts, countedAt, state }: Kept<Counts>, present: State): Counted<Counts> => ({
  ...counts,
  countedAt,
  isCurrent: isSame(state, present),
})

async function count<Counts>({ clock }: AppContext, { count }: Counting<Counts>, state: State): Promise<Kept<Counts>> {
  const countedAt = clock.now()
  return { counts: await count(), countedAt, state }
}
