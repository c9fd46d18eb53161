import type { AppContext } from '../../account/context.ts'
import { HOUR_MS } from '../../clock.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { HistoryStore } from '../../store/history.ts'
import { packBlock, unpackBlock } from '../blocks.ts'

/** A segment that is not kept within this time never will be: its request or its process has ended. */
const UNKEPT_MS = HOUR_MS
/** Lines erased in one write, so that a concurrent upload waits for about 10 ms at most. */
const BATCH_LINES = 500
const BATCH_ROWS = 50

/** Erases a segment and its lines. */
export async function eraseSegment(store: HistoryStore, id: number): Promise<void> {
  for (let isErased = false; !isErased; ) {
    await yieldIfDue()
    isErased = await store.write((tx) => tx.eraseLines(id, BATCH_LINES))
  }
}

/**
 * Permanently erases what nobody can read any more: lines, records that no other line uses, their texts within compressed blocks, and their traces in the
 * files. May be interrupted at any point and called again, also by several processes concurrently. Returns whether there was anything to erase.
 */
export async function eraseDead({ clock }: Pick<AppContext, 'clock'>, store: HistoryStore, isStopped = () => false): Promise<boolean> {
  const unkeptBefore = clock.now() - UNKEPT_MS
  const segments = await eachBatch(
    isStopped,
    () => store.listDeadSegments(unkeptBefore, BATCH_ROWS),
    (id) => eraseSegment(store, id),
  )
  const sources = await eachBatch(
    isStopped,
    () => store.listEmptySources(BATCH_ROWS),
    (id) => store.write((tx) => tx.eraseSource(id)),
  )
  const blocks = await repackBlocks(store, isStopped)
  const isAny = segments + sources + blocks > 0
  if (isAny) await store.scrub()
  return isAny
}

/** Runs `act` for each item that `list` returns, until it returns none. Returns the number of items. */
async function eachBatch<Item>(isStopped: () => boolean, list: () => Promise<Item[]>, act: (item: Item) => Promise<void>): Promise<number> {
  let count = 0
  for (let batch = await list(); batch.length > 0 && !isStopped(); batch = await list()) {
    for (const item of batch) await act(item)
    count += batch.length
  }
  return count
}

async function repackBlocks(store: HistoryStore, isStopped: () => boolean): Promise<number> {
  let count = 0
  for (let after = 0; !isStopped(); ) {
    const batch = await store.listBlocks({ after, limit: BATCH_ROWS, isStale: true })
    for (const id of batch) await repackBlock(store, id)
    count += batch.length
    if (batch.length < BATCH_ROWS) break
    after = batch.at(-1) ?? after
  }
  return count
}

/** Moves the remaining records of a block to a new one. If some of them are erased meanwhile, the block is left for the next time. */
async function repackBlock(store: HistoryStore, id: number): Promise<void> {
  await yieldIfDue()
  const [left, block] = [await store.listRecordsOfBlock(id), await store.findBlock(id)]
  if (block === undefined) return
  const text = left.length === 0 ? new Uint8Array() : await unpackBlock(block)
  const packed = await packBlock(
    block.ownerId,
    left.map(({ at, length, ...record }) => ({ ...record, text: text.subarray(at, at + length) })),
  )
  await store.write(async (tx) => {
    const now = await tx.listRecordsOfBlock(id)
    if (now.length !== left.length) return
    await (left.length === 0 ? tx.eraseBlock(id) : tx.replaceBlock(id, packed.block, packed.places))
  })
}
