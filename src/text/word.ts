/**
 * How a term came about.
 * `word` a word of the text; `part` a part of a compound; `whole` a compound joined; `gram` some characters of a script without spaces;
 * `single` one such character, for the exact scoring only; `tail` the end of such a run, for the index only.
 */
export type Kind = 'word' | 'part' | 'whole' | 'gram' | 'single' | 'tail'

/** A term of the index and the folded form it had in the text. */
export type Token = { term: string; surface: string; kind: Kind }
