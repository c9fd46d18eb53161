import { END, NUMBER, OTHER, START, type Tokens, VALUES_PER_TOKEN, WORD } from '../scan/tokens.ts'
import { isEnglish } from './english.ts'
import { isNumbered, segment, spellOut } from './obfuscation.ts'

/**
 * What the tokens of a text tell of how it may be disguised. Each way of undoing a disguise is tried only where its
 * trait is found, for it reads the whole text again.
 */
export type Traits = {
  /** The longest row of single letters. */
  singles: number
  /** Everyday words in which a digit or sign stands for a letter. */
  leet: number
  /** Words that a mark splits. */
  split: number
  /** The most numbers in a row, with at most three letters between two of them, as in hexadecimal codes. */
  numbers: number
  /** Words that signs or nothing at all set apart, with blanks between them, a run a line. */
  separated: string
}

/** Runs of separated words that are read. */
const MAX_SEPARATED_LENGTH = 4_000
const MIN_SEPARATED_WORDS = 4
const MAX_CODE_LETTERS = 3
const MIN_UNSPACED_LENGTH = 20
const MAX_UNSPACED_LENGTH = 400
const SEPARATOR = /[^\p{L}\p{N}\s'"`()[\]{}<>@!?]/u
const PUNCTUATION = '.,;:'
const SPLIT_MARKS = '·•‧∙⋅*~^|'

/** The traits of a text by its tokens, in one pass. */
export function findTraits({ text, count, values, kinds }: Tokens): Traits {
  const traits: Traits = { singles: 0, leet: 0, split: 0, numbers: 0, separated: '' }
  const startOf = (token: number) => values[token * VALUES_PER_TOKEN + START] ?? 0
  const endOf = (token: number) => values[token * VALUES_PER_TOKEN + END] ?? 0
  let singles = 0
  let numbers = 0
  let lastWord = -1
  let run: string[] = []
  let separator = ''
  for (let token = 0; token < count; token++) {
    const kind = kinds[token]
    const start = startOf(token)
    const end = endOf(token)
    if (kind === NUMBER || (kind === OTHER && end - start === 1)) {
      if (kind === NUMBER && ++numbers > traits.numbers) traits.numbers = numbers
      const isInside = token > 0 && token + 1 < count && endOf(token - 1) === start && startOf(token + 1) === end
      if (!isInside || kinds[token - 1] !== WORD || kinds[token + 1] !== WORD) continue
      if (kind === NUMBER || '@$!|'.includes(text[start] ?? '')) {
        if (isLeet(text, start)) traits.leet++
      }
      if (SPLIT_MARKS.includes(text[start] ?? '')) traits.split++
      continue
    }
    if (kind !== WORD) {
      singles = 0
      numbers = 0
      continue
    }
    const length = end - start
    if (numbers > 0 && length > MAX_CODE_LETTERS) numbers = 0
    singles = length === 1 ? singles + 1 : 0
    if (singles > traits.singles) traits.singles = singles
    if (
      length >= MIN_UNSPACED_LENGTH &&
      length <= MAX_UNSPACED_LENGTH &&
      traits.separated.length < MAX_SEPARATED_LENGTH
    ) {
      const words = segment(text.slice(start, end))
      if (words !== undefined) traits.separated += `${words}\n`
    }
    const between = lastWord >= 0 && lastWord === token - 2 ? separatorBetween(text, endOf(lastWord), start) : ''
    if (run.length > 0 && between !== separator) {
      addRun(run, traits)
      run = []
    }
    if (between !== '') {
      if (run.length === 0) run.push(text.slice(startOf(lastWord), endOf(lastWord)))
      run.push(text.slice(start, end))
      separator = between
    }
    lastWord = token
  }
  addRun(run, traits)
  return traits
}

function addRun(words: string[], traits: Traits): void {
  if (words.length >= MIN_SEPARATED_WORDS && traits.separated.length < MAX_SEPARATED_LENGTH)
    traits.separated += `${words.join(' ')}\n`
}

/**
 * A sign, alone or between two blanks, that a text has from one position up to another; empty if something else stands
 * there, or punctuation between blanks.
 */
function separatorBetween(text: string, from: number, to: number): string {
  const isSpaced = to - from === 3 && text[from] === ' ' && text[to - 1] === ' '
  if (!isSpaced && to - from !== 1) return ''
  const sign = text[isSpaced ? from + 1 : from] ?? ''
  return SEPARATOR.test(sign) && !(isSpaced && PUNCTUATION.includes(sign)) ? text.slice(from, to) : ''
}

/** Letters of the longest word that may be leetspeak. */
const MAX_LEET_LENGTH = 24

/** Whether the letters, digits and signs around a position spell an everyday word. */
function isLeet(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_LEET_LENGTH), at).match(/(?<![a-z0-9@$!|])[a-z0-9@$!|]*$/)?.[0] ?? ''
  const after = text.slice(at, at + MAX_LEET_LENGTH).match(/^[a-z0-9@$!|]*/)?.[0] ?? ''
  const word = before + after
  return word.length > 3 && !isNumbered(word) && isEnglish(spellOut(word))
}
