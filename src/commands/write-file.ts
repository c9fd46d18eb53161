import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Refusal } from '../errors.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/**
 * Writes a file that only its owner may read, atomically: into a temporary file beside it, which is synced and renamed. The temporary name cannot be guessed,
 * so that no planted link is followed. Throws a Refusal if the file system refuses.
 */
export async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const partial = `${path}.${randomBytes(8).toString('hex')}.part`
  try {
    const handle = await open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    await fill(handle, partial, path, pieces)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot write '${path}': ${error.message}`)
    throw error
  }
}

async function fill(
  handle: Awaited<ReturnType<typeof open>>,
  partial: string,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  try {
    try {
      await handle.chmod(0o600)
      for await (const piece of pieces) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
