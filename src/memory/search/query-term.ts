/** One word of a question, as the index and the exact scoring look for it. */
export type QueryTerm = {
  /** The word as it was asked, folded. */
  word: string
  /** Terms of the index that will do, any of them: the word's stems, or what stands in for a word nobody wrote. */
  forms: string[]
  /** Bits of the word's own form; undefined where another stands in for it. */
  form: number | undefined
  /** Share of its full weight: less for a function word, a joined compound, a guess. Above 0, at most 1. */
  share: number
  /** What it is good for: `rare` finds records, `weak` and `single` only tell found ones apart. */
  use: 'rare' | 'weak' | 'single'
}

/** A term and what a match of it is worth in this project. */
export type WeightedTerm = QueryTerm & { weight: number }
