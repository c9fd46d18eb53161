/**
 * A stretch of base64, or of hexadecimal digits: where it stands, and its characters without the ends of lines between
 * them.
 */
type Stretch = { start: number; end: number; encoded: string }

const BASE64 = /[A-Za-z0-9+/_-]{20,65536}={0,2}/g
const TEXT = /^[\t\n\r\x20-\x7e]{12,}$/
/** Lengths of the lines that programs wrap base64 in. */
const [MIN_LINE_LENGTH, MAX_LINE_LENGTH] = [56, 80]

/** The decoded text of a stretch; undefined if it is not ASCII text. */
export function decodeBase64({ encoded }: Stretch): string | undefined {
  // Most of it is a hash or a part of a path.
  if (!TEXT.test(decode(encoded.slice(0, 24)))) return undefined
  const decoded = decode(encoded)
  return TEXT.test(decoded) ? decoded : undefined
}

const HEX = /^(?:[0-9a-f]{2})+$/i
const decode = (encoded: string) => Buffer.from(encoded, HEX.test(encoded) ? 'hex' : 'base64').toString('latin1')

/** The stretches of base64 among runs of characters, in order. Base64 in lines is one stretch. */
export function* toStretches(text: string, runs: Iterable<{ 0: string; index: number }>): Generator<Stretch, void> {
  let last: Stretch | undefined
  let lineLength = 0
  for (const { 0: run, index } of runs)
    for (const { 0: encoded, index: within } of run.matchAll(BASE64)) {
      const start = index + within
      const isWrapped = lineLength >= MIN_LINE_LENGTH && lineLength <= MAX_LINE_LENGTH
      if (last && isWrapped && /^\r?\n[ \t]{0,16}$/.test(text.slice(last.end, start).slice(0, 20))) {
        last.encoded += encoded
        last.end = start + encoded.length
      } else {
        if (last) yield last
        last = { start, end: start + encoded.length, encoded }
      }
      lineLength = encoded.length
    }
  if (last) yield last
}
