import type { ReadStream } from 'node:tty'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'

/**
 * Prints a question and reads one line without echo. If the input is not a terminal, reads its first line. Throws a
 * Refusal at Ctrl-C.
 */
export async function askHidden(question: string, input: ReadStream, err: (text: string) => void): Promise<string> {
  err(question)
  input.setRawMode?.(true)
  try {
    return await readLine(input)
  } finally {
    input.setRawMode?.(false)
    input.pause().unref()
    err('\n')
  }
}

/** Prints a question and reads a line. Any answer but `y` or `yes` is no. */
export async function askYesNo(question: string, input: ReadStream, err: (text: string) => void): Promise<boolean> {
  err(`${question} [y/N] `)
  const answer = await readLine(input)
  input.pause()
  return /^y(es)?$/i.test(answer.trim())
}

/**
 * Whether a person agrees; asked unless they did on the command line (`--yes`). @throws Refusal if there is no terminal
 * to ask on.
 */
export async function isAgreed(
  { confirm }: Pick<Cli, 'confirm'>,
  yes: true | undefined,
  question: string,
): Promise<boolean> {
  if (yes) return true
  if (confirm === undefined) throw new Refusal('nothing was changed, since there is no terminal to ask on; add --yes')
  return confirm(question)
}

async function readLine(input: ReadStream): Promise<string> {
  let line = ''
  for await (const chunk of input.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n' || character === '\u0004') return line
      if (character === '\u0003') throw new Refusal('interrupted')
      line = character === '\u007f' || character === '\b' ? line.slice(0, -1) : line + character
    }
  }
  return line
}
