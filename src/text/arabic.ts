const PREFIX = /^(?:[وفبك]?ال|لل|و(?=.{4}))(?=.{2})/
const SUFFIX = /(?:ها|ان|ات|ون|ين|يه|[هي])$/

/** A light stem of a folded Arabic word: article and common endings off, at least two letters left (after Larkey's light10). */
export function stemArabic(word: string): string {
  let plain = word.replace(PREFIX, '')
  for (let turn = 0; turn < 2; turn++) {
    const shorter = plain.replace(SUFFIX, '')
    if (shorter.length < 2) break
    plain = shorter
  }
  return plain
}
