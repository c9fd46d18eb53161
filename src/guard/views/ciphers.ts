import { countEnglish } from './english.ts'
import { SPELLED } from './hints.ts'

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

const MORSE =
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..'
const LETTER_BY_MORSE = new Map(MORSE.split(' ').map((pair) => [pair.slice(1), pair.slice(0, 1)]))
/** The letters in the order of the patterns of Braille from U+2801 on. */
const LETTER_BY_BRAILLE = new Map(
  'a⠁ b⠃ c⠉ d⠙ e⠑ f⠋ g⠛ h⠓ i⠊ j⠚ k⠅ l⠇ m⠍ n⠝ o⠕ p⠏ q⠟ r⠗ s⠎ t⠞ u⠥ v⠧ w⠺ x⠭ y⠽ z⠵'
    .split(' ')
    .map((pair) => [pair.slice(1), pair.slice(0, 1)]),
)
/** The first of the 26 regional indicators; two of them make a flag. */
const FIRST_INDICATOR = 0x1f1e6

/**
 * Text spelled in signs that stand for one letter each: Morse with blanks between letters and a slash between words,
 * and, where a text hints at them, Braille and regional indicators. Other text stays.
 */
export function readCodes(text: string, hints: number): string {
  let plain = text
  if (mayBeMorse(plain) && / [.-]{1,5} [.-]{1,5} [.-]{1,5} /.test(plain))
    plain = plain.replace(/(?:[.-]{1,5}(?: {1,3}| ?[/|] ?|\n)){7,500}[.-]{1,5}/g, readMorse)
  if ((hints & SPELLED) === 0) return plain
  if (/[\u2801-\u283f]/.test(plain))
    plain = plain.replace(/[\u2800-\u283f]/g, (sign) => LETTER_BY_BRAILLE.get(sign) ?? ' ')
  if (/\ud83c[\udde6-\uddff]/.test(plain)) plain = plain.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, readIndicator)
  return plain
}

/** Whether two letters of Morse may stand in a row. Most texts have no sign after a blank. */
const mayBeMorse = (text: string) =>
  [' -', ' .'].some((signs) => text.includes(signs)) &&
  ['- -', '- .', '. -', '. .'].some((signs) => text.includes(signs))

function readMorse(run: string): string {
  const words = run.split(/ {2,3}| ?[/|] ?|\n/)
  return words.map((word) => Array.from(word.split(' '), (sign) => LETTER_BY_MORSE.get(sign) ?? '').join('')).join(' ')
}

function readIndicator(sign: string): string {
  return String.fromCharCode(97 + (sign.codePointAt(0) ?? FIRST_INDICATOR) - FIRST_INDICATOR)
}
