import { isHangul, isSemitic } from './characters.ts'
import type { Tokens } from './tokens.ts'
import {
  CHARACTER,
  END,
  hashBeginning,
  KEY,
  keyLengthOf,
  START,
  STEM,
  stemLengthOf,
  tokenize,
  VALUES_PER_TOKEN,
  WORD,
} from './tokens.ts'

/** A phrase of a concept in a text, from `start` up to `end` in UTF-16 units; `token` is the last of its tokens. */
export type Hit = { concept: number; start: number; end: number; token: number }

/**
 * What the lists tell of a text: the phrases of concepts in the order in which they start, and of each token its class
 * and its topic; 0 for none.
 */
export type Findings = { hits: Hit[]; classes: Uint8Array; topics: Uint8Array }

/** What a phrase stands for. Numbers from 1 on; concepts from 0 on. */
type Meaning = { concept?: number; wordClass?: number; topic?: number }

/** A trie whose edges are words, or beginnings of words. Nodes are numbered; 0 is the root. */
type Trie = {
  edges: Edges
  /**
   * A Bloom filter of the edges, 32 KiB with one hash function: most words follow no edge, and the filter fits into the
   * processor's cache, unlike the edges.
   */
  filter: Int32Array
  concepts: number[][]
  classes: number[]
  topics: number[]
  /** Bit n is set where an edge from the node is a beginning of n letters. */
  beginnings: number[]
  /** Whether a phrase goes on after the node. */
  isInner: boolean[]
}
/**
 * Node, hash and child of each edge in a row, in one hash table with open addressing, so that a look-up touches one
 * line of the cache.
 */
type Edges = Int32Array

/**
 * Edges from this node tell the lengths of beginnings at the root by their stems, or by their first letters if they are
 * shorter than a stem.
 */
const LENGTHS = -2
const ROOT = 0
const SLOTS = 1 << 16
const FILTER_BITS = 1 << 18
const VALUES_PER_EDGE = 4

export type Phrases = {
  add: (phrase: string, meaning: Meaning, isOpen?: boolean) => void
  find: (tokens: Tokens) => Findings
}

/** An empty collection of phrases. Texts are searched for them in time linear in the tokens and the phrases found. */
export function createPhrases(): Phrases {
  const edges = new Int32Array(SLOTS * VALUES_PER_EDGE)
  const filter = new Int32Array(FILTER_BITS / 32)
  const trie: Trie = { edges, filter, concepts: [[]], classes: [0], topics: [0], beginnings: [0], isInner: [true] }
  return {
    add: (phrase, meaning, isOpen = false) => add(trie, phrase, meaning, isOpen),
    find: (tokens) => find(trie, tokens),
  }
}

const hashEdge = (node: number, hash: number) =>
  Math.imul(Math.imul(node, 0x9e3779b1) ^ hash ^ (hash >>> 15), 0x85ebca6b)

function slotOf(edges: Edges, node: number, hash: number): number {
  let at = hashEdge(node, hash) >>> 16
  while (
    edges[at * VALUES_PER_EDGE + 2] !== 0 &&
    !(edges[at * VALUES_PER_EDGE] === node && edges[at * VALUES_PER_EDGE + 1] === hash)
  )
    at = (at + 1) & (SLOTS - 1)
  return at * VALUES_PER_EDGE
}

function follow({ edges, filter }: Trie, node: number, hash: number): number {
  const bit = hashEdge(node, hash) >>> 14
  const mayBe = ((filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1
  return mayBe === 0 ? 0 : (edges[slotOf(edges, node, hash) + 2] ?? 0)
}

function setEdge({ edges, filter }: Trie, node: number, hash: number, child: number): void {
  const bit = hashEdge(node, hash) >>> 14
  filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  edges.set([node, hash, child], slotOf(edges, node, hash))
}

/** Tells the beginning of a word from a whole word with the same letters. */
const toBeginning = (hash: number, length: number) => hash ^ Math.imul(length, 0x27d4eb2f)

/** Adds a phrase. A `*` after a word stands for any ending of it; `isOpen`: so does the end of the phrase. */
function add(trie: Trie, phrase: string, { concept, wordClass, topic }: Meaning, isOpen: boolean): void {
  const tokens = tokenize(phrase.trim().toLowerCase())
  let node = ROOT
  for (let at = 0; at < tokens.count; at++) {
    const isStarred = isStar(tokens, at + 1) && tokens.kinds[at] === WORD
    const isLast = at + (isStarred ? 2 : 1) >= tokens.count
    node = addEdge(trie, node, tokens, at, isStarred || (isLast && isOpen))
    if (isStarred) at++
  }
  if (node === ROOT) return
  if (concept !== undefined) trie.concepts[node]?.push(concept)
  trie.classes[node] ||= wordClass ?? 0
  trie.topics[node] ||= topic ?? 0
}

const isStar = ({ text, values, count }: Tokens, at: number) =>
  at < count &&
  text[values[at * VALUES_PER_TOKEN + START] ?? 0] === '*' &&
  values[at * VALUES_PER_TOKEN + START] === values[(at - 1) * VALUES_PER_TOKEN + END]

function addEdge(trie: Trie, node: number, tokens: Tokens, at: number, isBeginning: boolean): number {
  const { text, values } = tokens
  const start = values[at * VALUES_PER_TOKEN + START] ?? 0
  const length = lettersOf(tokens, at)
  const key = keyLengthOf(text.charCodeAt(start))
  let hash = values[at * VALUES_PER_TOKEN] ?? 0
  if (isBeginning && tokens.kinds[at] === WORD && length >= key && length < 31) {
    trie.beginnings[node] = (trie.beginnings[node] ?? 0) | (1 << length)
    if (node === ROOT) {
      const first = values[at * VALUES_PER_TOKEN + (length < stemLengthOf(text.charCodeAt(start)) ? KEY : STEM)] ?? 0
      setEdge(trie, LENGTHS, first, follow(trie, LENGTHS, first) | (1 << length))
    }
    hash = toBeginning(hash, length)
  }
  const known = follow(trie, node, hash)
  if (known !== 0) return known
  const child = trie.concepts.push([]) - 1
  trie.classes.push(0)
  trie.topics.push(0)
  trie.beginnings.push(0)
  trie.isInner[node] = true
  trie.isInner.push(false)
  setEdge(trie, node, hash, child)
  return child
}

function lettersOf(tokens: Tokens, at: number): number {
  let length = 0
  while (length < 31 && hashBeginning(tokens, at, length + 1) !== 0) length++
  return length
}

function find(trie: Trie, tokens: Tokens): Findings {
  const findings: Findings = { hits: [], classes: new Uint8Array(tokens.count), topics: new Uint8Array(tokens.count) }
  for (let at = 0; at < tokens.count; at++) walk(trie, tokens, findings, ROOT, at, at)
  return findings
}

/**
 * Follows every edge from a node that the token at `at` matches, and so on: a whole word first, then beginnings of
 * words from the longest to the shortest.
 */
function walk(trie: Trie, tokens: Tokens, findings: Findings, node: number, first: number, at: number): void {
  const { values } = tokens
  const exact = follow(trie, node, values[at * VALUES_PER_TOKEN] ?? 0)
  if (exact !== 0) visit(trie, tokens, findings, exact, first, at)
  if (tokens.kinds[at] !== WORD) return
  let lengths = node === ROOT ? lengthsAtRoot(trie, values, at * VALUES_PER_TOKEN) : (trie.beginnings[node] ?? 0)
  while (lengths !== 0) {
    const length = 31 - Math.clz32(lengths)
    lengths ^= 1 << length
    const hash = hashBeginning(tokens, at, length)
    const child = hash === 0 ? 0 : follow(trie, node, toBeginning(hash, length))
    if (child !== 0) visit(trie, tokens, findings, child, first, at)
  }
}

const lengthsAtRoot = (trie: Trie, values: Int32Array, token: number) =>
  follow(trie, LENGTHS, values[token + STEM] ?? 0) | follow(trie, LENGTHS, values[token + KEY] ?? 0)

function visit(trie: Trie, tokens: Tokens, findings: Findings, node: number, first: number, at: number): void {
  const { hits, classes, topics } = findings
  if (first === at || tokens.kinds[first] === CHARACTER) {
    classes[first] ||= trie.classes[node] ?? 0
    topics[first] ||= trie.topics[node] ?? 0
  }
  for (const concept of trie.concepts[node] ?? []) {
    const start = tokens.values[first * VALUES_PER_TOKEN + START] ?? 0
    const end = tokens.values[at * VALUES_PER_TOKEN + END] ?? 0
    const last = hits[hits.length - 1]
    if (last?.concept !== concept || last.start !== start) hits.push({ concept, start, end, token: at })
  }
  if (trie.isInner[node] && at + 1 < tokens.count) walk(trie, tokens, findings, node, first, at + 1)
}

/** Whether words of this script nearly always have endings, so that a listed word stands for all that begin with it. */
export const isAlwaysOpen = (code: number) => isHangul(code) || isSemitic(code)
