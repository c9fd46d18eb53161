import { readWordLists } from '../../text/word-lists.ts'
import conceptLists from '../lists/concepts.txt' with { type: 'text' }
import grammarLists from '../lists/grammar.txt' with { type: 'text' }
import topicLists from '../lists/topics.txt' with { type: 'text' }
import { CONCEPTS } from '../rules/concepts.ts'
import { isHangul } from './characters.ts'
import { createPhrases, isAlwaysOpen, type Phrases } from './phrases.ts'

/** A phrase of letters alone, which is a class of words too. */
const SINGLE_WORD = /^[\p{L}\p{M}]{2,}\*?$/u

/** All phrases of `lists/`, built in some 50 ms. */
export function buildPhrases(): Phrases {
  const phrases = createPhrases()
  const grammar = readWordLists(grammarLists)
  grammar.forEach(([, list], at) => {
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
      phrases.add(word, { topic: CONCEPTS.length + grammar.length + 1 + at }, isAlwaysOpen(word.charCodeAt(0)))
  })
  return phrases
}
