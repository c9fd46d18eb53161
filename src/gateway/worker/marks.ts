import { inspectInSlices } from '../../guard/inspect.ts'
import { findCredentials } from '../../secrets/credentials.ts'
import { toContentText, toStructuredText } from './answer-text.ts'

/**
 * The `_meta` of a forwarded tool result: whether its text resembles instructions for agents, and which kinds of
 * credentials it contains, which belong to the caller and should not be remembered. The result is forwarded in any
 * case.
 */
export type Marks = {
  'memsvc/guard'?: { suspicious: true; family: string }
  'memsvc/credentials'?: { kinds: string[] }
}

/** Inspects the text of a tool result. Undefined if nothing is to be marked. */
export async function findMarks(content: unknown[], structuredContent: unknown): Promise<Marks | undefined> {
  // Inspected separately, so that neither can push the other beyond the inspected length.
  const texts = [toContentText(content), toStructuredText(structuredContent)].filter((text) => text.trim() !== '')
  const families: string[] = []
  const kinds = new Set<string>()
  for (const text of texts) {
    const verdict = await inspectInSlices(text)
    if (verdict.verdict === 'refused') families.push(verdict.family ?? 'resemblance')
    for (const { kind } of await findCredentials(text)) kinds.add(kind)
  }
  const [family] = families
  if (family === undefined && kinds.size === 0) return undefined
  return {
    ...(family !== undefined && { 'memsvc/guard': { suspicious: true, family } }),
    ...(kinds.size > 0 && { 'memsvc/credentials': { kinds: [...kinds] } }),
  }
}
