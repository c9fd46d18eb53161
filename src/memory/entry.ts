import type { Entry } from '../store/project.ts'
import { RULES } from './words/analyse.ts'
import { condense } from './words/condense.ts'

/** Codes are kept where they take at most this share of the text: scripts without spaces are read from the text instead. */
const MOST_CODES = 0.75

/** What the index is to hold of a content. */
export function toEntry(content: string): Entry {
  const { terms, language, length, packed } = condense(content)
  const small = packed.length <= MOST_CODES * Buffer.byteLength(content, 'utf8')
  return { terms, language, length, codes: small ? packed : null, rules: RULES }
}
