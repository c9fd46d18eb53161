import { finish, type Steps } from '../../cooperative.ts'
import { replaceInSteps } from '../pieces.ts'
import { isEnglish } from './english.ts'

// Letters of other scripts that are drawn like a Latin one, in lower case after folding.
const pairs =
  'аa вb сc ԁd еe һh нh іi ӏl јj кk ԛq ѕs мm оo рp тt ԝw хx уy ѵv пn гr ոn սu օo հh ցg ԍg ɡg ɑa զq քp ѐe οo αa νv ρp τt υu χx κk ιi εe ηn ωw γy յj ʀr ɴn ɪi ʟl ʏy ꜱs ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz'
const latinOf = new Map(pairs.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)]))

const isLatin = (word: string) => /[a-z]/.test(word)

const DISGUISE = new RegExp(`[${[...latinOf.keys()].join('')}]`)

/** The word with look-alike letters put into Latin, or undefined where some letter has no Latin twin. */
export function toLatin(word: string): string | undefined {
  let latin = ''
  for (const letter of word) {
    const twin = letter >= 'a' && letter <= 'z' ? letter : latinOf.get(letter)
    if (twin === undefined) return undefined
    latin += twin
  }
  return latin
}

// A Greek letter in a term of science, a unit or a phonetic sign makes no everyday word; a foreign letter amid a long word does not belong there.
const isDisguise = (word: string, latin: string) => (latin.length > 2 && isEnglish(latin)) || (latin.length > 5 && hasTwoTwins(word))

function hasTwoTwins(word: string): boolean {
  let twins = 0
  for (const letter of word) if (latinOf.has(letter) && ++twins > 1) return true
  return false
}

type Unmasked = { text: string; masked: number }

/** Folded text with disguised words in Latin, and how many there were: words that mix Latin with twins, and then their all-twin neighbours. */
export function replaceHomoglyphs(text: string): Unmasked {
  return finish(replaceHomoglyphsInSteps(text))
}

/** `unmask`, a piece at a time. */
export function* replaceHomoglyphsInSteps(text: string): Steps<Unmasked> {
  let masked = 0
  if (!/[a-z]/.test(text) || !DISGUISE.test(text)) return { text, masked }
  const first = yield* replaceInSteps(text, /\p{L}{2,}/gu, (word) => {
    if (!isLatin(word)) return word
    const latin = toLatin(word)
    if (latin === undefined || latin === word || !isDisguise(word, latin)) return word
    masked++
    return latin
  })
  if (masked === 0) return { text, masked }
  return { text: yield* replaceInSteps(first, /\p{L}+/gu, (word) => toLatin(word) ?? word), masked }
}
