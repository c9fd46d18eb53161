import type { Token } from './word.ts'

/** Overlapping runs of `length` characters; a shorter run stands for itself. Tails make a search for fewer characters possible. */
export function grams(run: string, length: number): Token[] {
  const starts = startsOf(run)
  const count = starts.length - 1
  const words: Token[] = []
  for (let at = 0; at + length <= count; at++) words.push(toWord(run.slice(starts[at], starts[at + length]), 'gram'))
  if (words.length === 0) words.push(toWord(run, 'gram'))
  for (let size = Math.min(length, count) - 1; size > 0; size--) words.push(toWord(run.slice(starts[count - size]), 'tail'))
  return words
}

/** Every character by itself. */
export function singles(run: string): Token[] {
  const words: Token[] = []
  for (const character of run) words.push(toWord(character, 'single'))
  return words
}

/** Where each character begins, and where the last one ends. */
function startsOf(run: string): number[] {
  const starts = [0]
  for (let at = 0; at < run.length; starts.push(at)) at += (run.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return starts
}

function toWord(term: string, kind: Token['kind']): Token {
  return { term, surface: term, kind }
}
