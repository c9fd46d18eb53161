import { TOKENS, UNPREFIXED_TOKENS } from '../../src/secrets/detector/token-search.ts'

/** The same numbers for the same seed (mulberry32), from 0 up to but without 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A part of a form: a class or a group or a character, and how often it stands there. */
const PART = /(\[(?:\\.|[^\]])+\]|\\.|\(\?:(?:[^()]|\((?:[^()])*\))*\)|[^\\])(?:\{(\d+)(?:,(\d+))?\}\??|(\?))?/g
const ALL = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))

/**
 * Draws a text of a form, each character as often as any other. Conditions on what stands around a token (`(?!…)`) are
 * left out.
 */
function drawForm(form: string, random: () => number): string {
  const pick = <One>(of: One[]) => of[Math.floor(random() * of.length)]
  const drawPart = (part: string): string => {
    if (!part.startsWith('(?:')) return pick(ALL.filter((character) => new RegExp(`^${part}$`).test(character))) ?? part
    const alternatives = part.slice(3, -1).split(/\|(?![^(]*\))/)
    return drawForm(pick(alternatives) ?? '', random)
  }
  return [...form.replace(/\(\?<?[!=][^)]*\)/g, '').matchAll(PART)]
    .map(([, part = '', min = '1', max, optional]) => {
      const least = optional ? 0 : Number(min)
      // Few vendors' tokens are much longer than the least that a rule asks for.
      const most = optional ? 1 : Math.min(Number(max ?? min), least + 16)
      return Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => drawPart(part)).join('')
    })
    .join('')
}

/** Tokens of every row of the table of rules, so many of each, the same ones every time. */
export function* generateTokens(samples: number): Generator<{ kind: string; token: string }, void> {
  const rows = [...TOKENS, ...UNPREFIXED_TOKENS.map(([kind, , form]): [string, string, string] => [kind, '', form])]
  for (const [nth, [kind, prefixes, rest]] of rows.entries()) {
    const random = createRandom(nth)
    const alternatives = prefixes.split('|')
    for (let at = 0; at < samples; at++)
      yield { kind, token: (alternatives[at % alternatives.length] ?? '') + drawForm(rest, random) }
  }
}
