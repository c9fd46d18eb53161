/** The parts of an expression: what opens a group, a number of times, and what matches one character. */
const PART =
  /\(\?(?:<\w+>|<?[=!]|:)|\{\d+(?:,\d*)?\}|\\p\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\k<\w+>|\\\d|\\.|\[(?:[^\]\\]|\\.)*\]|[\s\S]/giu
const MATCHES_NO_CHARACTER = /^(?:[()^$?*+]|\(\?.*|\{\d.*|\\[bB\d]|\\k.*)$/
/** Characters of every kind that patterns tell apart. */
const SAMPLES = [...'a0 -_.\'"/\\:=@<[({}+%#!,;A\n\t\ré字\u0301\u200b\u00b7']

/**
 * An alternative of an expression as a text that matches its characters in a row, and further characters that they
 * match.
 */
type Alternative = { text: string; others: string[] }

function toAlternatives({ source, flags }: RegExp): Alternative[] {
  const alternatives: Alternative[] = [{ text: '', others: [] }]
  for (const [part] of source.matchAll(PART)) {
    if (part === '|') alternatives.push({ text: '', others: [] })
    const last = alternatives.at(-1)
    if (part === '|' || last === undefined || MATCHES_NO_CHARACTER.test(part)) continue
    const isPart = new RegExp(`^${part}$`, flags.replace(/[gyd]/g, ''))
    const [first = part.replace(/^\\/, ''), ...others] = SAMPLES.filter((sample) => isPart.test(sample))
    last.text += first
    if (part.length > 1) last.others.push(...others)
  }
  return alternatives
}

const MAX_PUMP_LENGTH = 5

/** A text that may be hard for an expression: `pump` over and over behind `before`. */
export type Attack = { before: string; pump: string }

/** Parts of what an expression matches, and characters of every kind. */
export function findPumps(expression: RegExp): Attack[] {
  const pumps = new Map<string, Attack>()
  const add = (before: string, pump: string) => pumps.set(`${before}\0${pump}`, { before, pump })
  for (const sample of SAMPLES) add('', sample)
  for (const { text, others } of toAlternatives(expression)) {
    for (const other of others) add(text, other)
    for (let start = 0; start < text.length; start++) {
      for (let length = 1; length <= MAX_PUMP_LENGTH; length++)
        add(text.slice(0, start), text.slice(start, start + length))
      add('', text.slice(0, start + 1))
    }
  }
  return [...pumps.values()]
}
