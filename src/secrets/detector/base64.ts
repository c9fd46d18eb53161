/** A stretch of base64: where it stands, and its characters without the ends of lines between them. */
type Stretch = { start: number; end: number; encoded: string }

const BASE64 = /[A-Za-z0-9+/_-]{20,65536}={0,2}/g
const TEXT = /^[\t\n\r\x20-\x7e]{12,}$/
/** Lengths of the lines that programs wrap base64 in. */
const [MIN_LINE_LENGTH, MAX_LINE_LENGTH] = [56, 80]

/** What base64 among runs of characters says, where that is text in ASCII and no picture. */
export function decodeBase64(
  text: string,
  runs: Iterable<{ 0: string; index: number }>,
): { decoded: string; start: number; end: number }[] {
  return toStretches(text, runs).flatMap(({ start, end, encoded }) => {
    // Most of it is a hash or a part of a path.
    if (!TEXT.test(decode(encoded.slice(0, 20)))) return []
    const decoded = decode(encoded)
    return TEXT.test(decoded) ? [{ decoded, start, end }] : []
  })
}

const decode = (encoded: string) => Buffer.from(encoded, 'base64').toString('latin1')

/** Base64 in lines is one stretch. */
function toStretches(text: string, runs: Iterable<{ 0: string; index: number }>): Stretch[] {
  const stretches: Stretch[] = []
  let lineLength = 0
  for (const { 0: run, index } of runs)
    for (const { 0: encoded, index: within } of run.matchAll(BASE64)) {
      const start = index + within
      const last = stretches.at(-1)
      const isWrapped = lineLength >= MIN_LINE_LENGTH && lineLength <= MAX_LINE_LENGTH
      if (last && isWrapped && /^\r?\n[ \t]{0,16}$/.test(text.slice(last.end, start).slice(0, 20))) {
        last.encoded += encoded
        last.end = start + encoded.length
      } else stretches.push({ start, end: start + encoded.length, encoded })
      lineLength = encoded.length
    }
  return stretches
}
