import { isEnglish } from './english.ts'

/**
 * Letters of other scripts that look like a Latin one, each with that one, in lower case. Chosen from the confusables
 * of UTS #39.
 */
const PAIRS =
  'аa вb сc ԁd еe һh нh іi ӏl јj кk ԛq ѕs мm оo рp тt ԝw хx уy ѵv пn гr ոn սu օo հh ցg ԍg ɡg ɑa զq քp ѐe οo αa νv ρp τt υu χx κk ιi εe ηn ωw γy յj ʀr ɴn ɪi ʟl ʏy ꜱs ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz'
const LATIN_BY_HOMOGLYPH = new Map(PAIRS.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]))
/** A word that begins with Latin letters or none and has a homoglyph after them. */
const WITH_HOMOGLYPH = new RegExp(`(?<!\\p{L})[a-z]*[${[...LATIN_BY_HOMOGLYPH.keys()].join('')}]\\p{L}*`, 'gu')
const LATIN = /[a-z]/

/**
 * Lengths from which on a word is disguised if it is everyday English, or if it has two homoglyphs. Units and terms of
 * science have one in a short word.
 */
const MIN_ENGLISH_LENGTH = 3
const MIN_UNKNOWN_LENGTH = 6

type Replaced = { text: string; replaced: number }

/**
 * Replaces homoglyphs in a lower-case text: in words that mix them with Latin letters and, if there is one, in words of
 * homoglyphs alone. `replaced` counts the former.
 */
export function replaceHomoglyphs(text: string): Replaced {
  let replaced = 0
  const unmixed = text.replace(WITH_HOMOGLYPH, (word) => {
    if (!LATIN.test(word)) return word
    const latin = toLatin(word)
    if (latin === undefined || !isDisguise(word, latin)) return word
    replaced++
    return latin
  })
  if (replaced === 0) return { text, replaced }
  return { text: unmixed.replace(/\p{L}+/gu, (word) => toLatin(word) ?? word), replaced }
}

/** The word with its homoglyphs as Latin letters; undefined if another letter is not Latin. */
function toLatin(word: string): string | undefined {
  let latin = ''
  for (const letter of word) {
    const replacement = letter >= 'a' && letter <= 'z' ? letter : LATIN_BY_HOMOGLYPH.get(letter)
    if (replacement === undefined) return undefined
    latin += replacement
  }
  return latin
}

function isDisguise(word: string, latin: string): boolean {
  return (
    (latin.length >= MIN_ENGLISH_LENGTH && isEnglish(latin)) ||
    (latin.length >= MIN_UNKNOWN_LENGTH && hasTwoHomoglyphs(word))
  )
}

function hasTwoHomoglyphs(word: string): boolean {
  let homoglyphs = 0
  for (const letter of word) if (LATIN_BY_HOMOGLYPH.has(letter) && ++homoglyphs > 1) return true
  return false
}
