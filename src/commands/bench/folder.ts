import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Refusal } from '../../errors.ts'

/** Free disk space required for a run, with a margin. */
const MIN_FREE_BYTES = 512 * 2 ** 20
/** Type of the file system `tmpfs`, as Linux numbers them. */
const TMPFS = 0x01021994

export type BenchFolder = { path: string; isInMemory: boolean; remove: () => Promise<void> }

/**
 * Creates a temporary folder inside the given one.
 *
 * @throws Refusal if that is not a folder, not writable, or has too little free space.
 */
export async function makeBenchFolder(parent: string): Promise<BenchFolder> {
  const inside = resolve(parent)
  try {
    const { bavail, bsize, type } = await statfs(inside)
    if (bavail * bsize < MIN_FREE_BYTES) throw new Refusal(`there is too little room in '${inside}': the bench needs 512 MiB`)
    const path = await mkdtemp(join(inside, 'memsvc-bench-'))
    return { path, isInMemory: process.platform === 'linux' && type === TMPFS, remove: () => rm(path, { recursive: true, force: true }) }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot work in '${inside}': ${error.message}`)
    throw error
  }
}
