import { createReadStream } from 'node:fs'
import { Refusal } from '../../errors.ts'
import { writeWhole } from '../../whole-file.ts'
import type { Cli } from '../cli.ts'

/** Maximum size of a text in bytes, far above what a record may hold. */
const MAX_TEXT_BYTES = 1024 * 1024

/**
 * The text of a file, or of standard input for `-`, without the final line end, which editors add.
 *
 * @throws Refusal if there is no such file, and for more than 1 MiB.
 */
export async function readText(cli: Pick<Cli, 'input'>, file: string): Promise<string> {
  if (file !== '-' && !(await Bun.file(file).exists())) throw new Refusal(`there is no file '${file}'`)
  const text = await readAll(file === '-' ? cli.input() : createReadStream(file))
  return text.replace(/\r?\n$/, '')
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    size += chunk.length
    if (size > MAX_TEXT_BYTES) throw new Refusal(`the text is too large: more than ${MAX_TEXT_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

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
