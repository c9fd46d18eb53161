import { normalize } from '../../text/normalize.ts'

const MAX_DERIVED_CHARACTERS = 60
const MAX_WORDS = 6
/** UTF-16 units of a text in which its first words are looked for. */
const MAX_READ_LENGTH = 4_096
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** A short readable name made of a text's first words, as they stand among its first 4 096 characters: `use-pnpm-for-every-package`. Never empty. */
export function deriveFactKey(content: string): string {
  const words = normalize(content.slice(0, MAX_READ_LENGTH).toLowerCase(), 'NFKC').matchAll(WORD).take(MAX_WORDS)
  const slug = [...words].map(([word]) => word).join('-')
  return [...slug].slice(0, MAX_DERIVED_CHARACTERS).join('').replace(/-+$/, '') || 'note'
}
