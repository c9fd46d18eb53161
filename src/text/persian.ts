const SUFFIX = /(?<=.{3})(?:هايي|هاي|ها|ترين|تر|يي|ي|ان|ات)$/

/** A light stem of a folded Persian word: signs of the plural, of comparison and of the genitive off, at least three letters left. */
export function stemPersian(word: string): string {
  return word.replace(SUFFIX, '')
}
