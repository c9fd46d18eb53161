import { readFile, stat } from 'node:fs/promises'
import { Refusal, toErrorCode } from '../../errors.ts'

/** Larger settings files are refused. */
const MAX_FILE_BYTES = 32 * 2 ** 20

/** The text of a file; undefined if there is none. @throws Refusal for one that cannot be read or is too large. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) throw new Refusal(`${file} is larger than ${MAX_FILE_BYTES} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Refusal) throw error
    const code = toErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Refusal(`${file} cannot be read (${code})`)
  }
}
