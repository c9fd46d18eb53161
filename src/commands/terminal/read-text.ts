import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'

/** The text of a file, or of standard input for `-`, without one line end at its end, which editors add. Throws a Refusal where there is no such file. */
export async function readText(cli: Pick<Cli, 'input'>, file: string): Promise<string> {
  if (file !== '-' && !(await Bun.file(file).exists())) throw new Refusal(`there is no file '${file}'`)
  const text = file === '-' ? await readAll(cli.input()) : await Bun.file(file).text()
  return text.replace(/\r?\n$/, '')
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of input) chunks.push(chunk)
  return new TextDecoder().decode(Buffer.concat(chunks))
}
