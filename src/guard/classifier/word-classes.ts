import { canonicalize } from '../canonical.ts'
import { CONCEPTS, type Lexicon } from '../rules/concepts.ts'
import { LEXICONS } from '../rules/lexicons.ts'
import { TOPICS } from './topics.ts'

/** Everyday words by what they do in a sentence, beside the concepts: who speaks, who is meant, what is asked. */
const GRAMMAR_CLASSES = [
  'you your yours yourself u ur du dir dich dein ihr sie tu te toi ton votre vous usted tus ti tua seu voce je jouw ty twoj ты вы твои ваш тебя',
  'i me my mine myself ich mir mein moi mon mi yo mio meu ik mij я мне мои меня',
  'we us our ours wir uns nous notre nosotros nuestro noi nostro nos wij ons мы нам наш',
  'they them their he him his she her someone somebody anyone anybody everyone people person',
  'must should shall need needs have has to ought required muss soll sollte doit dois debe debes deve moet должен',
  'will would can could may might able allowed free',
  'if when while once upon until unless before after wenn sobald si quand cuando quando als als если когда',
  'what which who whom whose how why where',
  'this that these those here below following above it its',
  'be is are was were been being am',
  'please pls kindly just simply only also now then instead but however',
]

/** A number for the words that mean something to the guard, by what they mean, and 0 for all others. Words are given by their hashes. */
export type ClassOf = (word: number, stem: number) => number

type Hash = (word: string) => number

/** Reads the classes of all words that stand alone in a lexicon. `hash` is that of whole words and of stems, the first five letters. */
export function buildClasses(hash: Hash): ClassOf {
  const table = createTable(hash)
  GRAMMAR_CLASSES.forEach((list, at) => {
    for (const word of list.split(' ')) table.put(word, CONCEPTS.length + at + 1)
  })
  CONCEPTS.forEach((concept, at) => {
    for (const phrase of LEXICONS.flatMap((lexicon: Lexicon) => lexicon[concept]?.split(' | ') ?? [])) table.put(phrase, at + 1)
  })
  return table.find
}

/** Reads what words are about: the everyday meanings, and the classes for words that have none. */
export function buildTopics(hash: Hash, classes: ClassOf): ClassOf {
  const table = createTable(hash)
  const known = CONCEPTS.length + GRAMMAR_CLASSES.length
  TOPICS.trim()
    .split('\n')
    .forEach((list, at) => {
      for (const word of list.split(' ')) table.put(word, known + at + 1)
    })
  return (word, stem) => table.find(word, stem) || classes(word, stem)
}

function createTable(hash: Hash): { put: (phrase: string, value: number) => void; find: ClassOf } {
  const words = new Map<number, number>()
  const stems = new Map<number, number>()
  const add = (map: Map<number, number>, key: number, value: number) => map.has(key) || map.set(key, value)
  const put = (phrase: string, value: number) => {
    const word = canonicalize(phrase.trim())
    if (/^[\p{L}\p{M}']{2,}$/u.test(word)) add(words, hash(word), value)
    if (/^[\p{L}\p{M}']{5,}\*$/u.test(word)) add(stems, hash(word.slice(0, 5)), value)
  }
  return { put, find: (word, stem) => words.get(word) ?? stems.get(stem) ?? 0 }
}
