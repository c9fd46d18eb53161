import { toCode } from './hash.ts'
import { pack } from './pack.ts'
import { toTokens } from './spell.ts'
import type { Language } from './stop.ts'

/** What one run of a text becomes in one language. */
export type Form = {
  /** Terms for the index, with spaces between them; empty where there are none. */
  indexed: string
  /** For the exact scoring: packed codes. */
  packed: Uint8Array
  /** What the run adds to the length of a text, in words. */
  length: number
}

export function toForm(run: string, role: number, language: Language): Form {
  const codes: number[] = []
  let indexed = ''
  let length = 0
  for (const { term, surface, kind } of toTokens(run, role, language)) {
    if (kind !== 'single') indexed += indexed === '' ? term : ` ${term}`
    if (kind !== 'tail') codes.push(toCode(term, surface))
    if (kind === 'word' || kind === 'part' || kind === 'gram') length++
  }
  return { indexed, packed: pack(codes), length }
}
