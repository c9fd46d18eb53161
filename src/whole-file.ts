import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/**
 * Writes a file atomically, with exactly these permissions: into a temporary file beside it, which is synced and
 * renamed. The temporary name cannot be guessed, so that no planted link is followed. Nothing is left of a file that
 * could not be written.
 *
 * @throws Error of the file system, or of `pieces`.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | string,
  mode: number,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  const file = await open(part, 'wx', mode)
  try {
    try {
      await file.chmod(mode)
      for await (const piece of typeof pieces === 'string' ? [pieces] : pieces) await file.writeFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
