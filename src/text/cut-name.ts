import { cutCase } from './cut-case.ts'

/** `APIs` are more than one API. */
const PLURAL = /(?<=\p{Lu}{2})s(?!\p{Ll})/gu
const BORDERS = /\d(?=\p{L})|\p{L}(?=\d)/gu
const DIGIT = /\d/
const HEX = /^[\da-f]{4,}$/i
const NUMBER_IN_HEX = /^(0x)([\da-f]+)$/i
/** Borders of letters and digits from which on they mean nothing: in a number written in hexadecimal digits, in another code. */
const MAX_BORDERS_IN_HEX = 1
const MAX_BORDERS = 3

/** Cuts a name at camelCase and at the border of letters and digits. Hashes and other codes stay whole. */
export function cutName(name: string): string[] {
  if (!DIGIT.test(name)) return cutCase(name.includes('s') ? name.replace(PLURAL, '') : name)
  const number = NUMBER_IN_HEX.exec(name)
  if (number !== null) return number.slice(1)
  return isCode(name) ? [name] : cutCase(name.replace(PLURAL, ''))
}

function isCode(name: string): boolean {
  const borders = name.match(BORDERS)?.length ?? 0
  return borders > MAX_BORDERS || (borders > MAX_BORDERS_IN_HEX && HEX.test(name))
}
