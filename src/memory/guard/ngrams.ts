/** How many weights the classifier has; a power of two. */
export const buckets = 1 << 17

/** Features a token ends: itself, its stem, with one and two before it, and with the one before the last. */
export const perToken = 6

const other = 1
const digits = 2
const url = 3
const start = 4

const isLower = (code: number) => code >= 97 && code <= 122
const isDigit = (code: number) => code >= 48 && code <= 57
const isWide = (code: number) => (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
const isBlank = (code: number) => code === 32 || code === 10 || code === 9 || code === 13
const isSign = (code: number) => (code < 128 && !isLower(code) && !isDigit(code) && code !== 39) || (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xd800 && code <= 0xdfff)
const mix = (a: number, b: number) => Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0x9e3779b1) ^ (b >>> 15)

/** The hashed n-grams of a folded text: `perToken` buckets for each token, in order. */
export function toNgrams(text: string): Int32Array {
  const tokens = readTokens(text)
  const grams = new Int32Array((tokens.length / 2) * perToken)
  let before = start
  let stemBefore = start
  let earlier = start
  for (let i = 0; i < tokens.length; i += 2) {
    const word = tokens[i] ?? 0
    const stem = tokens[i + 1] ?? 0
    const at = (i / 2) * perToken
    grams[at] = put(mix(word, 11))
    grams[at + 1] = put(mix(stem, 13))
    grams[at + 2] = put(mix(mix(before, word), 17))
    grams[at + 3] = put(mix(mix(stemBefore, stem), 19))
    grams[at + 4] = put(mix(mix(mix(earlier, before), word), 23))
    grams[at + 5] = put(mix(mix(earlier, word), 29))
    earlier = before
    before = word
    stemBefore = stem
  }
  return grams
}

const put = (hash: number) => (hash ^ (hash >>> 16)) & (buckets - 1)

/** Hashes of the tokens, each followed by that of its stem (its first five letters). */
function readTokens(text: string): number[] {
  const tokens: number[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) at++
    else if (isDigit(code)) at = skip(text, at, isDigit, tokens, digits)
    else if (isWide(code)) at = one(at, tokens, mix(code, 31))
    else if (isSign(code)) at = one(at, tokens, code > 0x2000 ? other : mix(code, 37))
    else at = readWord(text, at, tokens)
  }
  return tokens
}

function one(at: number, tokens: number[], hash: number): number {
  tokens.push(hash, hash)
  return at + 1
}

function skip(text: string, from: number, belongs: (code: number) => boolean, tokens: number[], hash: number): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at++
  tokens.push(hash, hash)
  return at
}

const isLetter = (code: number) => !isBlank(code) && !isDigit(code) && !isSign(code) && !isWide(code)
const isLinked = (code: number) => !isBlank(code) && code !== 41 && code !== 93 && code !== 34 && code !== 60 && code !== 62

function readWord(text: string, from: number, tokens: number[]): number {
  let at = from
  let hash = 7
  let stem = 7
  for (; at < text.length && isLetter(text.charCodeAt(at)); at++) {
    hash = mix(hash, text.charCodeAt(at))
    if (at - from < 5) stem = hash
  }
  if (text.startsWith('://', at)) return skip(text, at, isLinked, tokens, url)
  tokens.push(hash, stem)
  return at
}
