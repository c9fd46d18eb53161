import { inspectInSlices } from '../../guard/inspect.ts'
import { MAX_INSPECTED_LENGTH } from '../../guard/views/views.ts'
import { findCredentials } from '../../secrets/credentials.ts'

/**
 * The `_meta` of a tool result from another server, which is passed on all the same: what in its text resembles instructions for agents, and which kinds of
 * credentials it contains. These are the caller's own, and not to be remembered.
 */
export type Marks = {
  'memsvc/guard'?: { suspicious: true; family: string }
  'memsvc/credentials'?: { kinds: string[] }
}

/** Inspects the text blocks of a tool result, up to the number of characters that the guard reads. Undefined where nothing is to be marked. */
export async function findMarks(content: unknown[]): Promise<Marks | undefined> {
  const text = joinTexts(content)
  if (text.trim() === '') return undefined
  const verdict = await inspectInSlices(text)
  const kinds = [...new Set((await findCredentials(text)).map(({ kind }) => kind))]
  if (!verdict.rejected && kinds.length === 0) return undefined
  return {
    ...(verdict.rejected && { 'memsvc/guard': { suspicious: true, family: verdict.family ?? 'resemblance' } }),
    ...(kinds.length > 0 && { 'memsvc/credentials': { kinds } }),
  }
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
