import { canonicalize } from '../canonical.ts'
import { CONCEPTS, type Lexicon } from '../rules/concepts.ts'
import { LEXICONS } from '../rules/lexicons.ts'
import { isAlwaysStemmed, stemLength, stemOf } from './stems.ts'
import { TOPIC_WORDS } from './topic-words.ts'
import { TOPICS } from './topics.ts'

/** Function words and modal verbs in several languages, one class a line: who speaks, who is addressed, what is required. */
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

/** The class of the word of a text from one position up to another, given with its hash; 0 for a word without a class. */
export type ClassOf = (word: number, text: string, at: number, end: number) => number

/** Hashes the letters of a text from one position up to another. */
type Hash = (text: string, from: number, to: number) => number

/**
 * Builds the classes: one for each concept, of its single words in all lexicons, and one for each list of grammar. A word is of the first class that lists
 * it.
 */
export function buildClasses(hash: Hash): ClassOf {
  const table = createTable(hash)
  GRAMMAR_CLASSES.forEach((list, at) => {
    for (const word of list.split(' ')) table.add(word, CONCEPTS.length + at + 1)
  })
  CONCEPTS.forEach((concept, at) => {
    for (const phrase of LEXICONS.flatMap((lexicon: Lexicon) => lexicon[concept]?.split(' | ') ?? [])) table.add(phrase, at + 1)
  })
  return table.find
}

/** Words that mean too many things in too many languages. */
const SHORT_WORD = /^[a-z]{1,2}$/

/** Builds the topics: one for each name in TOPICS and TOPIC_WORDS. A word that none of them lists has its class as its topic. */
export function buildTopics(hash: Hash, classOf: ClassOf): ClassOf {
  const table = createTable(hash)
  const firstTopic = CONCEPTS.length + GRAMMAR_CLASSES.length + 1
  const names: string[] = []
  for (const line of [...TOPICS.trim().split('\n'), ...TOPIC_WORDS.trim().split('\n')]) {
    const [name = '', list = ''] = line.split(': ')
    if (!names.includes(name)) names.push(name)
    for (const word of list.split(' ')) if (!SHORT_WORD.test(word)) table.add(word, firstTopic + names.indexOf(name))
  }
  return (word, text, at, end) => table.find(word, text, at, end) || classOf(word, text, at, end)
}

/** A table of single words, and of words with a `*` at the end, which stand for all that begin with them; the longest beginning counts. */
function createTable(hash: Hash): { add: (phrase: string, value: number) => void; find: ClassOf } {
  const byWord = new Map<number, number>()
  const byBeginning = new Map<number, number>()
  const addFirst = (map: Map<number, number>, key: number, value: number) => map.has(key) || map.set(key, value)
  return {
    add: (phrase, value) => {
      const word = canonicalize(phrase.trim())
      const bare = word.replace(/\*$/, '')
      if (!/^[\p{L}\p{M}']{2,}$/u.test(bare)) return
      const { from, to, longest } = stemOf(bare, 0, bare.length)
      const isStem = bare !== word || isAlwaysStemmed(bare.charCodeAt(0))
      if (isStem && to - from >= stemLength(bare.charCodeAt(0))) addFirst(byBeginning, hash(bare, from, longest), value)
      else addFirst(byWord, hash(bare, 0, bare.length), value)
    },
    find: (word, text, at, end) => {
      const known = byWord.get(word)
      if (known !== undefined) return known
      const { from, to, longest } = stemOf(text, at, end)
      for (let last = longest; last >= to; last--) {
        const value = byBeginning.get(hash(text, from, last))
        if (value !== undefined) return value
      }
      return 0
    },
  }
}
