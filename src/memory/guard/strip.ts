/** What was found and taken away while reading a text once, in counts of characters (words for `styled`). */
export type Traces = {
  /** invisible characters inside a word of a script that needs none */
  split: number
  /** direction overrides */
  bidi: number
  /** Latin letters in a styled or full-width alphabet */
  styled: number
  /** text carried by tag characters or variation selectors */
  smuggled: string
}

const flag = 0x1f3f4
const invisible = (code: number) =>
  code === 0xad || code === 0x34f || code === 0x61c || code === 0x180e || code === 0xfeff || code === 0x3164 || code === 0xffa0 ||
  (code >= 0x200b && code <= 0x200f) || (code >= 0x2060 && code <= 0x206f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x115f && code <= 0x1160)
const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f
const isSelector = (code: number) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
const isStyled = (code: number) =>
  (code >= 0xff21 && code <= 0xff5a) || (code >= 0x1d400 && code <= 0x1d7cb) || (code >= 0x249c && code <= 0x24e9) || (code >= 0x1f110 && code <= 0x1f189)
const isPlainLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 0xc0 && code <= 0x24f) || (code >= 0x400 && code <= 0x45f)
const isOverride = (code: number) => code === 0x202d || code === 0x202e
const selectorByte = (code: number) => (code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16)

/** The text without characters that show nothing, and what they were. Joiners between letters of scripts that need them, and in emoji, leave no trace. */
export function strip(text: string): { text: string; traces: Traces } {
  const traces: Traces = { split: 0, bidi: 0, styled: 0, smuggled: '' }
  if (!/[^\t\n\r -~\u00c0-\u024f]/.test(text)) return { text, traces }
  const kept: string[] = []
  const bytes: number[] = []
  let last = 0
  let pending = 0
  let inFlag = false
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    if (isTag(code)) {
      if (!inFlag && code >= 0xe0020 && code < 0xe007f) traces.smuggled += String.fromCharCode(code - 0xe0000)
      continue
    }
    inFlag = code === flag
    if (isSelector(code)) {
      bytes.push(selectorByte(code))
      continue
    }
    if (invisible(code)) {
      if (isOverride(code)) traces.bidi++
      pending++
      continue
    }
    if (pending > 0 && isPlainLetter(last) && isPlainLetter(code)) traces.split += pending
    if (isStyled(code)) traces.styled++
    pending = 0
    last = code
    kept.push(letter)
  }
  if (bytes.length > 3) traces.smuggled += toText(bytes)
  return { text: kept.join(''), traces }
}

function toText(bytes: number[]): string {
  const text = new TextDecoder().decode(Uint8Array.from(bytes))
  return /[a-zA-Z]{3}/.test(text) ? text : ''
}
