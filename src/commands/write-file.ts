import { Refusal } from '../errors.ts'
import { writeWhole } from '../whole-file.ts'

const OWNER_ONLY = 0o600

/** Writes a file that only its owner may read, atomically. Throws a Refusal if the file system refuses. */
export async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await writeWhole(path, pieces, OWNER_ONLY)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`cannot write '${path}': ${error.message}`)
    throw error
  }
}
