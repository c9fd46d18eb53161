import { INVISIBLE } from './hints.ts'

/** What characters that show nothing, or look like others, were used for. */
export type Traces = {
  /** Number of invisible characters between two letters of a script that needs none. */
  split: number
  /** Number of overrides of the writing direction. */
  bidi: number
  /** Number of Latin letters of a mathematical, enclosed or full-width alphabet. */
  styled: number
  /** The text that tag characters or variation selectors encode. */
  smuggled: string
}

/** The black flag, which begins the emoji of flags that are spelled in tag characters. */
const FLAG = 0x1f3f4
const SOFT_HYPHEN = 0xad
/** Fewer variation selectors are a matter of emoji. */
const MIN_SELECTOR_BYTES = 4
const isInvisible = (code: number) =>
  code === SOFT_HYPHEN ||
  code === 0x34f ||
  code === 0x61c ||
  code === 0x180e ||
  code === 0xfeff ||
  code === 0x3164 ||
  code === 0xffa0 ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x2060 && code <= 0x206f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x115f && code <= 0x1160)
const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f
const isSelector = (code: number) => (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
/** Latin and Cyrillic letters. */
const isPlainLetter = (code: number) =>
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  (code >= 0xc0 && code <= 0x24f) ||
  (code >= 0x400 && code <= 0x45f)
const isOverride = (code: number) => code === 0x202d || code === 0x202e
/**
 * The byte that a variation selector stands for: U+FE00 to U+FE0F are 0 to 15, U+E0100 and those after it 16 to 255.
 */
const selectorByte = (code: number) => (code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16)

type Stripped = { text: string; traces: Traces }

/**
 * Removes invisible characters. Joiners between letters of scripts that need them and inside emoji are removed without
 * a trace.
 */
export function strip(text: string, hints: number): Stripped {
  const traces: Traces = { split: 0, bidi: 0, styled: 0, smuggled: '' }
  if ((hints & INVISIBLE) === 0) return { text, traces: { ...traces, styled: countStyled(text) } }
  const bytes: number[] = []
  let visible = ''
  let from = 0
  let last = 0
  let invisible = 0
  for (let at = 0; at < text.length; ) {
    const start = at
    const code = text.codePointAt(at) ?? 0
    at += code > 0xffff ? 2 : 1
    if (isTag(code)) traces.smuggled += last === FLAG ? '' : toAscii(code)
    else if (isSelector(code)) bytes.push(selectorByte(code))
    else if (isInvisible(code)) {
      if (code !== SOFT_HYPHEN) invisible++
      if (isOverride(code)) traces.bidi++
    } else {
      if (invisible > 0 && isPlainLetter(last) && isPlainLetter(code)) traces.split += invisible
      invisible = 0
      last = code
      continue
    }
    visible += text.slice(from, start)
    from = at
  }
  visible += text.slice(from)
  if (bytes.length >= MIN_SELECTOR_BYTES) traces.smuggled += toText(bytes)
  traces.styled = countStyled(visible)
  return { text: visible, traces }
}

/** Full-width letters are not counted beside Chinese, Japanese or Korean text, where they are usual. */
function countStyled(text: string): number {
  const styled = text.match(/[\u249c-\u24e9]|[\u{1d400}-\u{1d7cb}]|[\u{1f110}-\u{1f189}]/gu)?.length ?? 0
  if (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text)) return styled
  return styled + (text.match(/[\uff21-\uff3a\uff41-\uff5a]/g)?.length ?? 0)
}

const toAscii = (tag: number) => (tag >= 0xe0020 && tag < 0xe007f ? String.fromCharCode(tag - 0xe0000) : '')

function toText(bytes: number[]): string {
  const text = new TextDecoder().decode(Uint8Array.from(bytes))
  return /[a-zA-Z]{3}/.test(text) ? text : ''
}
