import type { HistoryStore } from '../../store/history-verbs.ts'
import { packBlock, unpackBlock } from '../blocks.ts'

/** Lines erased in one write, so that a concurrent upload waits for about 10 ms at most. */
const BATCH_LINES = 500
const BATCH_ROWS = 50

/**
 * Permanently erases what nobody can read any more: lines and what they said before they were rewritten, within
 * compressed blocks too, and their traces in the files. May be interrupted at any point and called again, also by
 * several processes concurrently.
 */
export async function eraseDead(store: HistoryStore, isStopped = () => false): Promise<void> {
  for (
    let batch = await store.listErased(BATCH_ROWS);
    batch.length > 0 && !isStopped();
    batch = await store.listErased(BATCH_ROWS)
  ) {
    for (const source of batch) await eraseLines(store, source.id)
  }
  await repackBlocks(store, isStopped)
  await store.scrub(isStopped)
}

async function eraseLines(store: HistoryStore, id: string): Promise<void> {
  while (await store.write((tx) => tx.eraseLines(id, BATCH_LINES)));
}

async function repackBlocks(store: HistoryStore, isStopped: () => boolean): Promise<void> {
  for (let after = 0; !isStopped(); ) {
    const batch = await store.listBlocks({ after, limit: BATCH_ROWS, isStale: true })
    for (const id of batch) await repackBlock(store, id)
    if (batch.length < BATCH_ROWS) return
    after = batch.at(-1) ?? after
  }
}

/**
 * Moves the remaining lines of a block to a new one. If some of them are erased meanwhile, the block is left for the
 * next time.
 */
async function repackBlock(store: HistoryStore, id: number): Promise<void> {
  const [left, block] = [await store.listLinesOfBlock(id), await store.findBlock(id)]
  if (block === undefined) return
  const text = await unpackBlock(block)
  const texts = left.map(({ at, length, ...line }) => ({ ...line, text: text.subarray(at, at + length) }))
  const packed = await packBlock(block.sourceId, texts)
  await store.write(async (tx) => {
    if ((await tx.listLinesOfBlock(id)).length === left.length) await tx.replaceBlock(id, packed.block, packed.places)
  })
}
