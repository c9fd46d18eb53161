import type { ReadStream } from 'node:tty'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'

/** An input that is read line by line, and what has been read of it after the last line. */
export type LineInput = { stream: ReadStream; rest: string }

/**
 * Prints a question and reads one line without echo. If the input is not a terminal, reads its next line. Throws a
 * Refusal at Ctrl-C.
 */
export async function askHidden(question: string, input: LineInput, err: (text: string) => void): Promise<string> {
  const { stream } = input
  err(question)
  stream.setRawMode?.(true)
  try {
    return await readLine(input)
  } finally {
    stream.setRawMode?.(false)
    stream.pause().unref?.()
    err('\n')
  }
}

/** Prints a question and reads a line. Any answer but `y` or `yes` is no. */
export async function askYesNo(question: string, input: LineInput, err: (text: string) => void): Promise<boolean> {
  err(`${question} [y/N] `)
  const answer = await readLine(input)
  input.stream.pause()
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

async function readLine(input: LineInput): Promise<string> {
  let line = ''
  for await (const piece of piecesOf(input)) {
    const characters = [...piece]
    for (const [at, character] of characters.entries()) {
      if (character === '\r' || character === '\n' || character === '\u0004') {
        const rest = characters.slice(at + 1).join('')
        input.rest = character === '\r' ? rest.replace(/^\n/, '') : rest
        return line
      }
      if (character === '\u0003') throw new Refusal('interrupted')
      line = character === '\u007f' || character === '\b' ? line.replace(/.$/su, '') : line + character
    }
  }
  return line
}

async function* piecesOf(input: LineInput): AsyncGenerator<string> {
  const { rest } = input
  input.rest = ''
  yield rest
  for await (const chunk of input.stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) yield String(chunk)
}
