import { inspectInSlices } from '../../guard/inspect.ts'
import { MAX_INSPECTED_LENGTH } from '../../guard/views/views.ts'

/** The `_meta` of a tool result from another server whose text resembles instructions for agents. Such a result is passed on all the same. */
export type GuardMark = { 'memsvc/guard': { suspicious: true; family: string } }

/** Inspects the text blocks of a tool result, up to the number of characters that the guard reads. Undefined where nothing is suspicious. */
export async function findGuardMark(content: unknown[]): Promise<GuardMark | undefined> {
  const text = joinTexts(content)
  const verdict = text.trim() === '' ? undefined : await inspectInSlices(text)
  return verdict?.rejected ? { 'memsvc/guard': { suspicious: true, family: verdict.family ?? 'resemblance' } } : undefined
}

/** The texts of the blocks on a line each, cut at the number of characters that the guard reads. */
function joinTexts(content: unknown[]): string {
  let text = ''
  for (const [at, block] of content.entries()) {
    text += (at === 0 ? '' : '\n') + textOf(block).slice(0, MAX_INSPECTED_LENGTH)
    if (text.length >= MAX_INSPECTED_LENGTH) break
  }
  return text.slice(0, MAX_INSPECTED_LENGTH)
}

function textOf(block: unknown): string {
  const { text } = (block ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
