/** The zero of each script that has digits of its own, Arabic to Khmer; the others follow it. */
const ZEROS = [...'٠۰०০੦૦୦௦౦೦൦๐໐༠၀០']
const DIGITS = new RegExp(`[${ZEROS.map((zero) => `${zero}-${String.fromCharCode(zero.charCodeAt(0) + 9)}`).join('')}]`, 'g')
const values = new Map(
  ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, at) => [String.fromCharCode(zero.charCodeAt(0) + at), `${at}`])),
)

/** A text with the digits of every script written 0 to 9. */
export function withAsciiDigits(text: string): string {
  return text.replace(DIGITS, (digit) => values.get(digit) ?? digit)
}
