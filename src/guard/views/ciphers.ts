import { countEnglish } from './english.ts'

/** UTF-16 units at the beginning of a text by which a cipher is recognized. */
const SAMPLE_LENGTH = 400

/**
 * What a deciphered sample must have of everyday English: with so many ciphers some words come about by chance, above
 * all in short texts of other languages.
 */
const MIN_KNOWN_WORDS = 4
const MIN_KNOWN_SHARE = 0.5

type Substitute = (piece: string) => string

/** Puts for the nth letter of the alphabet, from 0 on, the one whose number is `factor` n + `shift`. */
const toAffine =
  (factor: 1 | -1, shift: number): Substitute =>
  (piece) =>
    piece.replace(/[a-z]/gi, (letter) => {
      const first = letter < 'a' ? 65 : 97
      return String.fromCharCode(first + ((factor * (letter.charCodeAt(0) - first) + shift + 26) % 26))
    })

/** The Caesar ciphers (rot13 is one), Atbash, and rot47: each puts one letter or sign for another. */
const CIPHERS: Substitute[] = [
  ...Array.from({ length: 25 }, (_, at) => toAffine(1, at + 1)),
  toAffine(-1, 25),
  (piece) => piece.replace(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33)),
]

/**
 * The text deciphered by the cipher under which its beginning has most English words; undefined if that is no English.
 */
export function decipher(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH)
  let best: Substitute | undefined
  let mostKnown = 0
  for (const substitute of CIPHERS) {
    const plain = substitute(sample).toLowerCase()
    const { known, all } = countEnglish(plain)
    if (known <= mostKnown || known < MIN_KNOWN_WORDS || known < all * MIN_KNOWN_SHARE) continue
    mostKnown = known
    best = substitute
  }
  return best?.(text)
}
