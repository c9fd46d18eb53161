const LONGEST = 60
const MOST_WORDS = 6

/** A short readable name made of a text's first words: `use-pnpm-for-every-package`. Never empty. */
export function deriveFactKey(content: string): string {
  const words =
    content
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const slug = words.slice(0, MOST_WORDS).join('-')
  return [...slug].slice(0, LONGEST).join('').replace(/-+$/, '') || 'note'
}
