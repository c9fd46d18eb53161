import { inspect } from '../memory/guard/inspect.ts'

/** What an answer from outside carries when its text resembles instructions for agents; it is passed on all the same. */
export type Mark = { 'memsvc/guard': { suspicious: true; family: string } }

/** The mark for the text blocks of another server's answer, of which the guard reads the first 120 000 characters. Undefined where nothing is suspicious. */
export function markOf(content: unknown[]): Mark | undefined {
  const text = content.map(toText).join('\n')
  const verdict = text.trim() === '' ? undefined : inspect(text)
  return verdict?.rejected ? { 'memsvc/guard': { suspicious: true, family: verdict.family ?? 'resemblance' } } : undefined
}

function toText(block: unknown): string {
  const { text } = (block ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}
