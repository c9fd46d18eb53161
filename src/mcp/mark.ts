import { inspectInSlices } from '../guard/inspect.ts'
import { MAX_INSPECTED_LENGTH } from '../guard/views/views.ts'

/** What an answer from outside carries when its text resembles instructions for agents; it is passed on all the same. */
export type GuardMark = { 'memsvc/guard': { suspicious: true; family: string } }

/** The mark for the text blocks of another server's answer, of which the guard reads the first 120 000 characters. Undefined where nothing is suspicious. */
export async function findGuardMark(content: unknown[]): Promise<GuardMark | undefined> {
  const text = toReadText(content)
  const verdict = text.trim() === '' ? undefined : await inspectInSlices(text)
  return verdict?.rejected ? { 'memsvc/guard': { suspicious: true, family: verdict.family ?? 'resemblance' } } : undefined
}

/** The texts of the blocks, as far as the guard reads. */
function toReadText(content: unknown[]): string {
  let text = ''
  for (const [at, block] of content.entries()) {
    text += (at === 0 ? '' : '\n') + toText(block).slice(0, MAX_INSPECTED_LENGTH)
    if (text.length >= MAX_INSPECTED_LENGTH) break
  }
  return text.slice(0, MAX_INSPECTED_LENGTH)
}

function toText(block: unknown): string {
  const { text } = (block ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
