import { SPELLED } from './hints.ts'

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
  if ((plain.includes(' -') || plain.includes(' .')) && / [.-]{1,5} [.-]{1,5} [.-]{1,5} /.test(plain))
    plain = plain.replace(/(?:[.-]{1,5}(?: {1,3}| ?[/|] ?|\n)){7,500}[.-]{1,5}/g, readMorse)
  if ((hints & SPELLED) === 0) return plain
  if (/[\u2801-\u283f]/.test(plain))
    plain = plain.replace(/[\u2800-\u283f]/g, (sign) => LETTER_BY_BRAILLE.get(sign) ?? ' ')
  if (/\ud83c[\udde6-\uddff]/.test(plain)) plain = plain.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, readIndicator)
  return plain
}

function readMorse(run: string): string {
  const words = run.split(/ {2,3}| ?[/|] ?|\n/)
  return words.map((word) => Array.from(word.split(' '), (sign) => LETTER_BY_MORSE.get(sign) ?? '').join('')).join(' ')
}

function readIndicator(sign: string): string {
  return String.fromCharCode(97 + (sign.codePointAt(0) ?? FIRST_INDICATOR) - FIRST_INDICATOR)
}
