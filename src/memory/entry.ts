import type { Entry } from '../store/project.ts'
import { RULES } from './words/analyse.ts'
import { type Condensed, condense, condenseInSlices } from './words/condense.ts'

/** Codes are kept where they take at most this share of the text: scripts without spaces are read from the text instead. */
const MOST_CODES = 0.75

/** What the index is to hold of a content. */
export function toEntry(content: string): Entry {
  return asEntry(content, condense(content))
}

/** The same as `toEntry`, a slice at a time. */
export async function toEntryInSlices(content: string): Promise<Entry> {
  return asEntry(content, await condenseInSlices(content))
}

function asEntry(content: string, { terms, language, length, packed }: Condensed): Entry {
  const small = packed.length <= MOST_CODES * Buffer.byteLength(content, 'utf8')
  return { terms, language, length, codes: small ? packed : null, rules: RULES }
}
