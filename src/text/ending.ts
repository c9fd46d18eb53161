/** An ending, what takes its place, the region it must stand in, and the letters it must stand behind; none where any will do. */
export type Ending = { letters: string; by: string; behind: string; region: (word: string) => number }
/** Endings by their last two letters, the longest first. */
export type Endings = (readonly Ending[] | undefined)[]

/** Reads `letters:by:behind`, with spaces between them. */
export function readEndings(text: string, region: Ending['region']): Ending[] {
  const words = text.split(/\s+/).map((word) => word.split(':'))
  return words.map(([letters = '', by = '', behind = '']) => ({ letters, by, behind, region }))
}

export function toEndings(list: Ending[]): Endings {
  const endings: Ending[][] = []
  for (const ending of list.toSorted((one, other) => other.letters.length - one.letters.length)) {
    const place = placeOf(ending.letters)
    endings[place] = [...(endings[place] ?? []), ending]
  }
  return endings
}

/** The longest of the endings that the word has. */
export function findEnding(endings: Endings, word: string): Ending | undefined {
  return endings[placeOf(word)]?.find(({ letters }) => word.endsWith(letters))
}

/** A number for the last two letters. */
function placeOf(word: string): number {
  return ((word.charCodeAt(word.length - 2) & 31) << 5) | (word.charCodeAt(word.length - 1) & 31)
}
