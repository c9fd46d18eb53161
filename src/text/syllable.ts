const VOWEL = marks('aeiouy')
/** `3` stands for a y that is a consonant. */
const NEVER_SHORT = marks('aeiouywx3')
/** Beginnings that the first region starts behind. */
const BEGINNINGS = ['gener', 'commun', 'arsen']

/** Where the first region of an English word begins: behind the first consonant that follows a vowel. */
export function r1Of(word: string): number {
  for (const beginning of BEGINNINGS) if (word.startsWith(beginning)) return beginning.length
  return behindSyllable(word, 0)
}

/** Where the second region begins: the same once more inside the first. */
export function r2Of(word: string): number {
  return behindSyllable(word, r1Of(word))
}

function behindSyllable(word: string, start: number): number {
  let at = start
  while (at < word.length && !isVowel(word, at)) at++
  while (at < word.length && isVowel(word, at)) at++
  return at + 1
}

/** Whether the letters before `end` close with a short syllable. */
export function endsShort(word: string, end: number): boolean {
  if (end === 1) return isVowel(word, 0)
  if (end === 2) return isVowel(word, 0) && !isVowel(word, 1)
  return !isVowel(word, end - 3) && isVowel(word, end - 2) && NEVER_SHORT[word.charCodeAt(end - 1)] !== 1
}

/** Whether there is a vowel before `end`. */
export function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true
  return false
}

export function isVowel(word: string, at: number): boolean {
  return VOWEL[word.charCodeAt(at)] === 1
}

function marks(letters: string): Uint8Array {
  const marked = new Uint8Array(128)
  for (const letter of letters) marked[letter.charCodeAt(0)] = 1
  return marked
}
