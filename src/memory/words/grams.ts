import type { Word } from './word.ts'

/** Overlapping runs of `length` characters; a shorter run stands for itself. Tails make a search for fewer characters possible. */
export function grams(characters: string[], length: number): Word[] {
  const words: Word[] = []
  for (let at = 0; at + length <= characters.length; at++) words.push(toWord(characters.slice(at, at + length).join(''), 'gram'))
  if (words.length === 0) words.push(toWord(characters.join(''), 'gram'))
  const longest = Math.min(length, characters.length) - 1
  for (let size = longest; size > 0; size--) words.push(toWord(characters.slice(-size).join(''), 'tail'))
  return words
}

/** Every character by itself. */
export function singles(characters: string[]): Word[] {
  return characters.map((character) => toWord(character, 'single'))
}

function toWord(term: string, kind: Word['kind']): Word {
  return { term, surface: term, kind }
}
