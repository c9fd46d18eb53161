import { fold } from './fold.ts'
import { LANGUAGES, type Language, stopBits } from './stop.ts'

/** Letters that few languages write, as evidence beside function words. */
const LETTERS: [string, Language[]][] = [
  ['ñ¿¡', ['es']],
  ['ß', ['de']],
  ['äö', ['de', 'sv', 'fi']],
  ['ü', ['de', 'tr']],
  ['çê', ['fr', 'pt']],
  ['èùœ', ['fr', 'it']],
  ['ãõ', ['pt']],
  ['å', ['sv', 'da']],
  ['øæ', ['da']],
  ['ăâîșțţ', ['ro']],
  ['ğıİ', ['tr']],
  ['ş', ['tr', 'ro']],
  ['őű', ['hu']],
  ['ąęłńśźż', ['pl']],
  ['ěřůčšž', ['cs']],
  ['پچژگ', ['fa']],
  ['ةىأإ', ['ar']],
  ['đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ', ['vi']],
]
/** The languages that write a letter, by its UTF-16 unit. */
const writers = new Map<number, number>()
for (const [letters, languages] of LETTERS)
  for (const letter of letters)
    for (const language of languages)
      writers.set(letter.charCodeAt(0), (writers.get(letter.charCodeAt(0)) ?? 0) | (1 << LANGUAGES.indexOf(language)))
const ENGLISH = LANGUAGES.indexOf('en')
/** A note has to speak another language twice before it is not read as English. */
const MIN_EVIDENCE = 2

/** The languages a run of letters speaks for, one bit for each, in the order of LANGUAGES. */
export function evidenceOf(run: string): number {
  const word = run.toLowerCase()
  const folded = fold(word)
  let bits = stopBits(folded) | (folded === word ? 0 : stopBits(word))
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at)
    if (unit > 127) bits |= writers.get(unit) ?? 0
  }
  return bits
}

/** The language most runs speak for, by the evidence of the first `runs`; English when in doubt. */
export function guessLanguage(evidence: ArrayLike<number>, runs: number): Language {
  const votes = new Uint32Array(LANGUAGES.length)
  for (let run = 0; run < runs; run++) {
    for (let bits = evidence[run] ?? 0; bits !== 0; bits &= bits - 1) {
      const at = 31 - Math.clz32(bits & -bits)
      votes[at] = (votes[at] ?? 0) + 1
    }
  }
  let best = ENGLISH
  for (let at = 0; at < votes.length; at++) if ((votes[at] ?? 0) > Math.max(votes[best] ?? 0, MIN_EVIDENCE - 1)) best = at
  return LANGUAGES[best] ?? 'en'
}
