import { open, rename, rm } from 'node:fs/promises'
import { Refusal } from '../errors.ts'

/** Writes a file that only its owner may read, in one step: until all pieces are written and on the disk, what was there stays. Throws a Refusal. */
export async function writeWhole(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.part`
  try {
    const handle = await open(partial, 'w', 0o600)
    try {
      for await (const piece of pieces) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot write '${path}': ${error.message}`)
    throw error
  }
}
