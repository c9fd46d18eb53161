import { isHangul, isSemitic, keyLengthOf, stemLengthOf } from './characters.ts'
import type { Tokens } from './tokens.ts'
import { CHARACTER, END, hashBeginning, KEY, START, STEM, tokenize, VALUES_PER_TOKEN, WORD } from './tokens.ts'
import {
  addEdges,
  addNode,
  BEGINNINGS,
  createTrie,
  edgesFrom,
  follow,
  MEANINGS,
  NONE,
  ROOT,
  type Trie,
  WHOLE,
} from './trie.ts'

/** A phrase of a concept in a text, from `start` up to `end` in UTF-16 units; `token` is the last of its tokens. */
export type Hit = { concept: number; start: number; end: number; token: number }

/**
 * What the lists tell of a text: the phrases of concepts in the order in which they start, and of each token its class
 * and its topic; 0 for none.
 */
export type Findings = { hits: Hit[]; classes: Uint8Array; topics: Uint8Array }

/** What a phrase stands for. Numbers from 1 on; concepts from 0 on. */
type Meaning = { concept?: number; wordClass?: number; topic?: number }

export type Phrases = {
  add: (phrase: string, meaning: Meaning, isOpen?: boolean) => void
  find: (tokens: Tokens) => Findings
}

/** An empty collection of phrases. Texts are searched for them in time linear in the tokens and the phrases found. */
export function createPhrases(): Phrases {
  const trie = createTrie()
  return {
    add: (phrase, meaning, isOpen = false) => add(trie, phrase, meaning, isOpen),
    find: (tokens) => find(trie, tokens),
  }
}

/** Tells the beginning of a word from a whole word with the same letters. */
const toBeginning = (hash: number, length: number) => hash ^ Math.imul(length, 0x27d4eb2f)

/** Adds a phrase. A `*` after a word stands for any ending of it; `isOpen`: so does the end of the phrase. */
function add(trie: Trie, phrase: string, meaning: Meaning, isOpen: boolean): void {
  const tokens = tokenize(phrase.trim().toLowerCase())
  let node = ROOT
  for (let at = 0; at < tokens.count; at++) {
    const isStarred = isStar(tokens, at + 1) && tokens.kinds[at] === WORD
    const isLast = at + (isStarred ? 2 : 1) >= tokens.count
    node = addEdge(trie, node, tokens, at, isStarred || (isLast && isOpen))
    if (isStarred) at++
  }
  if (node !== ROOT) addMeaning(trie, node, meaning)
}

/** Of several classes and topics the first counts. */
function addMeaning({ nodes, concepts }: Trie, node: number, { concept, wordClass = 0, topic = 0 }: Meaning): void {
  const known = nodes[node + MEANINGS] ?? 0
  let list = known >>> 16
  if (concept !== undefined) {
    if (list === 0) list = concepts.push([]) - 1
    concepts[list]?.push(concept)
  }
  nodes[node + MEANINGS] = (known & 0xff || wordClass) | (known & 0xff00 || topic << 8) | (list << 16)
}

const isStar = ({ text, values, count }: Tokens, at: number) =>
  at < count &&
  text[values[at * VALUES_PER_TOKEN + START] ?? 0] === '*' &&
  values[at * VALUES_PER_TOKEN + START] === values[(at - 1) * VALUES_PER_TOKEN + END]

function addEdge(trie: Trie, node: number, tokens: Tokens, at: number, isBeginning: boolean): number {
  const { text, values, kinds } = tokens
  const value = at * VALUES_PER_TOKEN
  const hash = values[value] ?? 0
  const code = text.charCodeAt(values[value + START] ?? 0)
  const length = kinds[at] === WORD && isBeginning ? lettersOf(tokens, at) : 0
  if (length < keyLengthOf(code) || length === MAX_LETTERS) {
    addEdges(trie, node, WHOLE)
    return addNode(trie, node, hash)
  }
  const first = values[value + (length < stemLengthOf(code) ? KEY : STEM)] ?? 0
  addEdges(trie, node === ROOT ? addNode(trie, BEGINNINGS, first) : node, 1 << length)
  return addNode(trie, node, toBeginning(hash, length))
}

/** Letters of the longest beginning. */
const MAX_LETTERS = 31

function lettersOf(tokens: Tokens, at: number): number {
  let length = 0
  while (length < MAX_LETTERS && hashBeginning(tokens, at, length + 1) !== 0) length++
  return length
}

function find(trie: Trie, tokens: Tokens): Findings {
  const { kinds, values, count } = tokens
  const findings: Findings = { hits: [], classes: new Uint8Array(count), topics: new Uint8Array(count) }
  for (let at = 0; at < count; at++) {
    const value = at * VALUES_PER_TOKEN
    const whole = follow(trie, ROOT, values[value] ?? 0)
    if (whole !== NONE) {
      const meanings = trie.nodes[whole + MEANINGS] ?? 0
      findings.classes[at] = meanings & 0xff
      findings.topics[at] = (meanings >>> 8) & 0xff
      if (meanings >>> 16 !== 0) addHits(trie, meanings >>> 16, tokens, findings, at, at)
      followEdges(trie, tokens, findings, whole, at, at + 1)
    }
    if (kinds[at] !== WORD) continue
    const byStem = follow(trie, BEGINNINGS, values[value + STEM] ?? 0)
    const byKey = follow(trie, BEGINNINGS, values[value + KEY] ?? 0)
    if (byStem + byKey !== NONE)
      followBeginnings(trie, tokens, findings, ROOT, edgesFrom(trie, byStem) | edgesFrom(trie, byKey), at, at)
  }
  return findings
}

/** Takes what the node of a phrase from `first` up to `at` means, and follows the edges from it. */
function visit(trie: Trie, tokens: Tokens, findings: Findings, node: number, first: number, at: number): void {
  const meanings = trie.nodes[node + MEANINGS] ?? 0
  if (first === at || tokens.kinds[first] === CHARACTER) {
    findings.classes[first] ||= meanings & 0xff
    findings.topics[first] ||= (meanings >>> 8) & 0xff
  }
  if (meanings >>> 16 !== 0) addHits(trie, meanings >>> 16, tokens, findings, first, at)
  followEdges(trie, tokens, findings, node, first, at + 1)
}

/** Follows every edge from a node that the token at `at`, if there is one, matches: the whole token first. */
function followEdges(trie: Trie, tokens: Tokens, findings: Findings, node: number, first: number, at: number): void {
  const edges = edgesFrom(trie, node)
  if (edges === 0 || at >= tokens.count) return
  if ((edges & WHOLE) !== 0) {
    const whole = follow(trie, node, tokens.values[at * VALUES_PER_TOKEN] ?? 0)
    if (whole !== NONE) visit(trie, tokens, findings, whole, first, at)
  }
  if (edges !== WHOLE && tokens.kinds[at] === WORD) followBeginnings(trie, tokens, findings, node, edges, first, at)
}

/** Follows the edges from a node that are beginnings of the word at `at`, from the longest to the shortest. */
function followBeginnings(
  trie: Trie,
  tokens: Tokens,
  findings: Findings,
  node: number,
  edges: number,
  first: number,
  at: number,
): void {
  for (let lengths = edges & ~WHOLE; lengths !== 0; ) {
    const length = 31 - Math.clz32(lengths)
    lengths ^= 1 << length
    const beginning = hashBeginning(tokens, at, length)
    const child = beginning === 0 ? NONE : follow(trie, node, toBeginning(beginning, length))
    if (child !== NONE) visit(trie, tokens, findings, child, first, at)
  }
}

/** Adds a hit for each concept of a list, unless the hit before it is the same. */
function addHits(
  { concepts }: Trie,
  list: number,
  { values }: Tokens,
  { hits }: Findings,
  first: number,
  at: number,
): void {
  const start = values[first * VALUES_PER_TOKEN + START] ?? 0
  const end = values[at * VALUES_PER_TOKEN + END] ?? 0
  for (const concept of concepts[list] ?? []) {
    const last = hits[hits.length - 1]
    if (last?.concept !== concept || last.start !== start) hits.push({ concept, start, end, token: at })
  }
}

/** Whether words of this script nearly always have endings, so that a listed word stands for all that begin with it. */
export const isAlwaysOpen = (code: number) => isHangul(code) || isSemitic(code)
