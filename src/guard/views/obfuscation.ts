import type { Steps } from '../../cooperative.ts'
import { replaceInSteps } from '../pieces.ts'
import { isEnglish, MAX_ENGLISH_LENGTH } from './english.ts'

/** A text with one disguise taken off, and how many different everyday words (`known`) came out of it. */
export type Unmasked = { text: string; known: number }

/** Letters set apart by a blank or by one repeated sign are joined again: `i g n o r e`, `p.r.o.m.p.t`. Takes folded text. */
export function* joinSpacedLetters(text: string): Steps<Unmasked> {
  const known = new Set<string>()
  const join = (run: string) => {
    const joined = segment(
      Array.from(run)
        .filter((_, at) => at % 2 === 0)
        .join(''),
    )
    for (const word of joined.split(' ')) if (word.length > 2 && isEnglish(word.replace(/[.,!?;:]$/, ''))) known.add(word)
    return joined
  }
  const blanks = yield* replaceInSteps(text, /(?<!\S)\S(?:[ \t]\S)+(?!\S)/gu, join)
  const joined = yield* replaceInSteps(blanks, /[^\s]([.\-_*|·/~+])[^\s](?:\1[^\s])+/gu, join)
  return { text: joined, known: known.size }
}

/** Spelling with digits and signs for letters is undone where everyday words come out: `1gn0re`, `4ll`. Takes folded text. */
export function* undoLeet(text: string): Steps<Unmasked> {
  const known = new Set<string>()
  const mixed = yield* replaceInSteps(text, /[a-z0-9@$!|']+/g, (token) => {
    if (!/[a-z]/.test(token) || !/[0-9@$!|]/.test(token.slice(0, -1) + token.slice(-1).replace(/[!|]/, ''))) return token
    const word = spell(token)
    if (word.length > 3 && isEnglish(word) && !isNumbered(token)) known.add(word)
    return word
  })
  if (known.size < 2) return { text, known: 0 }
  const spelt = yield* replaceInSteps(mixed, /(?<![\w.])[0134578]{2,6}(?![\w.])/g, (token) =>
    isEnglish(spell(token)) ? spell(token) : token,
  )
  return { text: spelt, known: known.size }
}

/** An everyday word or a letter with a number after it: `step5`, `w33`. Numbering is no disguise. */
function isNumbered(token: string): boolean {
  const word = /^([a-z]+)[0-9]+$/.exec(token)?.[1]
  return word !== undefined && (word.length === 1 || isEnglish(word))
}

const signs: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}

/** Marks of exclamation at the end are no letters. A pattern would try every place in a run of them. */
function withoutEnd(token: string): string {
  let end = token.length
  while (end > 0 && (token[end - 1] === '!' || token[end - 1] === '|')) end--
  return token.slice(0, end)
}

function spell(token: string): string {
  const body = withoutEnd(token)
  const first = body.replace(/[0134578@$!|]/g, (sign) => signs[sign] ?? sign)
  if (body.length > MAX_ENGLISH_LENGTH || isEnglish(first) || !body.includes('1')) return first
  const second = body.replaceAll('1', 'l').replace(/[034578@$!|]/g, (sign) => signs[sign] ?? sign)
  if (isEnglish(second)) return second
  const third = body
    .replace('1', 'i')
    .replaceAll('1', 'l')
    .replace(/[034578@$!|]/g, (sign) => signs[sign] ?? sign)
  return isEnglish(third) ? third : first
}

/** String literals added up or listed are joined: `"ig" + "nore"`. */
export function joinStringLiterals(text: string): Steps<string> {
  return replaceInSteps(text, /(["'`])[ \t]{0,4}[+,][ \t]{0,4}["'`]/g, () => '')
}

const MAX_WORD_CHARACTERS = 14

/** Cuts letters without blanks into everyday words where they can be; else leaves them whole. */
function segment(letters: string): string {
  if (letters.length < 6 || letters.length > 400 || isEnglish(letters)) return letters
  const from: number[] = new Array(letters.length + 1).fill(-1)
  from[0] = 0
  for (let end = 1; end <= letters.length; end++) {
    for (let start = Math.max(0, end - MAX_WORD_CHARACTERS); start < end && from[end] === -1; start++) {
      if (
        from[start] !== -1 &&
        (isEnglish(letters.slice(start, end)) || (/\W/.test(letters.slice(start, end).slice(0, 1)) && end - start === 1))
      )
        from[end] = start
    }
  }
  if (from[letters.length] === -1) return letters
  const cut: string[] = []
  for (let end = letters.length; end > 0; end = from[end] ?? 0) cut.unshift(letters.slice(from[end], end))
  return cut.join(' ')
}
