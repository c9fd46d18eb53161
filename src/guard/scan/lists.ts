import { readWordLists } from '../../text/word-lists.ts'
import conceptLists from '../lists/concepts.txt' with { type: 'text' }
import topicLists from '../lists/topics.txt' with { type: 'text' }
import { CONCEPTS } from '../rules/concepts.ts'
import { isHangul } from './characters.ts'
import { createPhrases, isAlwaysOpen, type Phrases } from './phrases.ts'

/**
 * Function words and modal verbs in several languages, one class a line: who speaks, who is addressed, what is
 * required.
 */
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

/** A phrase of letters alone, which is a class of words too. */
const SINGLE_WORD = /^[\p{L}\p{M}]{2,}\*?$/u

/** All phrases of `lists/`, built in some 50 ms. */
export function buildPhrases(): Phrases {
  const phrases = createPhrases()
  GRAMMAR_CLASSES.forEach((list, at) => {
    for (const word of list.split(' ')) phrases.add(word, { wordClass: CONCEPTS.length + at + 1 })
  })
  for (const [name, list] of readWordLists(conceptLists)) {
    const concept = (CONCEPTS as readonly string[]).indexOf(name)
    for (const phrase of list.split(' | ')) {
      const wordClass = SINGLE_WORD.test(phrase.trim()) ? concept + 1 : 0
      phrases.add(phrase, { concept, wordClass }, isHangul(phrase.trim().charCodeAt(0)))
    }
  }
  readWordLists(topicLists).forEach(([, list], at) => {
    for (const word of list.split(' '))
      phrases.add(word, { topic: CONCEPTS.length + GRAMMAR_CLASSES.length + 1 + at }, isAlwaysOpen(word.charCodeAt(0)))
  })
  return phrases
}
