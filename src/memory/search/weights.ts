import { DAY_MS } from '../../clock.ts'

// The weights of ranking. All but those of endings, other wordings, phrases, newness and the last two were tuned on the
// mean nDCG@10 of nine sets with judgments (docs/search.md, How good it is).

/** The parameters k1 and b of BM25. k1 from 0.9 to 1.2 and b from 0.6 to 0.75 change the mean by less than .002. */
export const K1 = 1.0
export const B = 0.65
/**
 * Added, in units of one match, if the record has the word in the same form as the query. Better than 0 (by .005), 0.1
 * and 0.35.
 */
export const SAME_FORM_BONUS = 0.25
/**
 * Bonus, as a fraction of the term's score, for a first occurrence at the beginning of a text, falling linearly to 0 at
 * the 25th word. Worth .008.
 */
export const EARLY_BONUS = 0.35
export const EARLY_WORDS = 25

/** Share of the joined form of a compound, whose parts are terms too. Better than 0.15, 0.5 and 1. */
export const COMPOUND_SHARE = 0.3
/**
 * Share of a word's weight that it gets as the last part of a compound. Tuned on the 100 pairs of bench/compounds.ts
 * among 1 000 messages of programs in their language: with 0.3 and 0.5 the right note is among five for 76, with 0.7
 * for 80, with 0.9 for 84.
 */
export const ENDING_SHARE = 0.7
/** Share of a single Han character, beside the pairs it is part of. Better than 0.15 and 0.3. */
export const SINGLE_SHARE = 0.45
/** Share of a stop word. Better than 0.1 and 0.4, and much better than 0. */
export const STOP_WORD_SHARE = 0.25
/** Share of a word's weight that each known part of it gets. 0.8 gave the same quality. */
export const PART_SHARE = 0.5

/**
 * Fractions of a neighbour's term score that a record gets, nearest first. The words of a query are often spread over
 * records of one source that were saved one after the other, and later records more often refer to what earlier ones
 * named than the reverse.
 */
export const BEFORE_SHARES = [0.5, 0.3]
export const AFTER_SHARES = [0.4, 0.3]

/**
 * Each source counts as one document: the parameters of its BM25, and what records of the best source get, as a
 * fraction of the query's total weight.
 */
export const SOURCE_K1 = 2
export const SOURCE_B = 0.4
export const SOURCE_SHARE = 0.2

/**
 * What another wording than the query counts, as a factor; how far what a record is worth lies from its best wording
 * towards the sum of all, divided by 1 and by this much more for each other wording. Tuned on the 300 notes of
 * bench/wordings, where .87 of the right notes come first with each of these: the median of the best score of questions
 * without an answer is .44 (with phrases .50), with 0.7 and 0.65 in place of the last two .46 (.51), and .58 (.59) with
 * 0.7 as the factor and the sum of the best and a tenth of each other one.
 */
export const ALSO_SHARE = 0.75
export const AGREEMENT_SHARE = 0.85
export const EXPECTED_SHARE = 0.68

/**
 * What a term counts at least that a phrase of the record holds (`asked_as`), in units of one match, however often:
 * less than one in the text. Tuned on the 300 notes of bench/wordings: of questions that share no word with their note,
 * asked with other wordings, the right note comes first for .84, .85, .87, .88 and .89 with 0.7, 0.9, 0.98, 1.0 and
 * 1.1.
 */
export const PHRASE_SHARE = 0.98

/**
 * Of nearly equal records the newer stands first: what a record saved this moment gets beside one that is old, as a
 * share of its match, and after which time it gets half of that.
 */
export const NEWNESS_SHARE = 0.02
export const NEWNESS_HALVED_MS = 30 * DAY_MS

/** Factor on the score of a stale record, so that it ranks after every fresh one of like relevance. */
export const STALE_FACTOR = 0.5
/** Fraction of its weight that a further hit of a word adds to a passage. */
export const REPEATED_SHARE = 0.02

// Scores, and what follows from them. Records are ranked by weights, and their scores have a scale of their own, which
// tells questions with an answer from those without: `bench/wordings.ts` prints the best score of both.

/**
 * How many matches of a term count at most for a score, and the power of its odds. With 1.3, the largest share of
 * questions without an answer and the smallest of those with one lie furthest apart, over ten sets of 170 to 320
 * questions with other texts around them or none; 1, 1.6 and no bound mix them. Logistic regression of whether the
 * first record of 320 questions asked in eight ways is the answer has a power of 3.9.
 */
export const MAX_COVERED = 1.3
export const ODDS_POWER = 4

/**
 * Other workspaces are searched when the best score here is lower: a second search for every answer took nearly as long
 * again among 12 000 records, this takes a fifth. A match there is clearly better with a score so many times the best
 * one here. By `bench/other-workspaces.ts` on four sets of questions, of those asked where their answer is 3.1 % get
 * names of other workspaces, and 64 % of those asked elsewhere.
 */
export const WEAK_SCORE = 0.5
export const CLEARLY_BETTER = 1.25

/**
 * A best match below this is weak, and other wordings are advised. Of questions of bench/wordings, asked alone, whose
 * note is not among the first five, 74 % are told so (83 % of those of other-teams), of those whose note stands first
 * 15 % (26 %); with phrases 61 % (79 %) and 4 % (12 %).
 */
export const WEAK_MATCH = 0.3
/**
 * An answer without a given limit has the first matches whatever they hold, and those after them up to the last one
 * that holds this share of what the best one does. Of the notes of bench/wordings that are among the first ten, fewer
 * than 0.1 % are left out so, and answers have 7 records instead of 9, with other wordings 6 instead of 10. With 0.4,
 * one set of conversations lost .003 of its recall among ten.
 */
export const MIN_SHOWN = 5
export const TAIL_SHARE = 1 / 3
/** Matches below this share of the best score are folded in the console: most have only one common word. */
export const WEAK_SHARE = 0.1
