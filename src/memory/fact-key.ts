const LONGEST = 60
const MOST_WORDS = 6
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** A short readable name made of a text's first words: `use-pnpm-for-every-package`. Never empty. */
export function deriveFactKey(content: string): string {
  const words = content.toLowerCase().normalize('NFKC').matchAll(WORD).take(MOST_WORDS)
  const slug = [...words].map(([word]) => word).join('-')
  return [...slug].slice(0, LONGEST).join('').replace(/-+$/, '') || 'note'
}
