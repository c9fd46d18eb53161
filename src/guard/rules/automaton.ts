import type { Steps } from '../../cooperative.ts'
import { PIECE_LENGTH } from '../pieces.ts'

/** Called for each occurrence of a phrase, given by its position in the list, that ends before `end` in the text. */
export type OnMatch = (phrase: number, end: number) => void

/** An Aho-Corasick automaton. Nodes are numbered; 0 is the root, and means "none" among edges, suffixes and phrases. */
type Automaton = {
  edges: Edges
  /** The parent of each node, and the UTF-16 unit of the edge from it. */
  parents: Int32Array
  codes: Uint16Array
  /** The failure link: the node of the longest proper suffix that is a node. */
  suffixes: Int32Array
  /** One more than the last phrase that ends at the node, and the output link: the nearest node along the failure links where other phrases end. */
  phrases: Int32Array
  outputs: Int32Array
  /** For each phrase, one more than the previous phrase with the same text. */
  twins: Int32Array
  size: number
}

/** All edges in one hash table with open addressing. A map for each of the 100 000 nodes would take 30 MB. */
type Edges = { nodes: Int32Array; codes: Uint16Array; children: Int32Array; mask: number }

/** Finds all of many phrases in one pass over a text, after Aho and Corasick (1975): time linear in text and matches. */
export function buildAutomaton(phrases: string[]): (text: string, onMatch: OnMatch) => Steps<void> {
  const automaton = createAutomaton(
    phrases.reduce((sum, { length }) => sum + length, 1),
    phrases.length,
  )
  phrases.forEach((phrase, index) => {
    const node = insert(automaton, phrase)
    automaton.twins[index] = automaton.phrases[node] ?? 0
    automaton.phrases[node] = index + 1
  })
  link(automaton)
  return (text, onMatch) => walk(automaton, text, onMatch)
}

/** An automaton of the root alone, with room for `maxNodes` nodes. */
function createAutomaton(maxNodes: number, phrases: number): Automaton {
  const slots = 2 ** Math.ceil(Math.log2(maxNodes * 2))
  const edges = { nodes: new Int32Array(slots), codes: new Uint16Array(slots), children: new Int32Array(slots), mask: slots - 1 }
  const perNode = () => new Int32Array(maxNodes)
  const twins = new Int32Array(phrases)
  return {
    edges,
    parents: perNode(),
    codes: new Uint16Array(maxNodes),
    suffixes: perNode(),
    phrases: perNode(),
    outputs: perNode(),
    twins,
    size: 1,
  }
}

/** The slot of an edge, or the free slot where it belongs. */
function slotOf({ nodes, codes, children, mask }: Edges, node: number, code: number): number {
  let at = (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & mask
  while (children[at] !== 0 && !(nodes[at] === node && codes[at] === code)) at = (at + 1) & mask
  return at
}

const follow = (edges: Edges, node: number, code: number) => edges.children[slotOf(edges, node, code)] ?? 0

function insert(automaton: Automaton, phrase: string): number {
  let node = 0
  for (let i = 0; i < phrase.length; i++) {
    const code = phrase.charCodeAt(i)
    node = follow(automaton.edges, node, code) || addChild(automaton, node, code)
  }
  return node
}

function addChild(automaton: Automaton, node: number, code: number): number {
  const child = automaton.size++
  const at = slotOf(automaton.edges, node, code)
  automaton.edges.nodes[at] = node
  automaton.edges.codes[at] = code
  automaton.edges.children[at] = child
  automaton.parents[child] = node
  automaton.codes[child] = code
  return child
}

/** Sets failure and output links in order of depth: those of a node follow from those of its parent. */
function link(automaton: Automaton): void {
  const { parents, codes, suffixes, phrases, outputs } = automaton
  for (const node of byDepth(automaton)) {
    const parent = parents[node] ?? 0
    const code = codes[node] ?? 0
    const suffix = parent === 0 ? 0 : descend(automaton, suffixes[parent] ?? 0, code)
    suffixes[node] = suffix
    outputs[node] = phrases[suffix] === 0 ? (outputs[suffix] ?? 0) : suffix
  }
}

/** The node that is reached by the unit from this node or from the first of its suffixes that has such an edge. */
function descend({ edges, suffixes }: Automaton, from: number, code: number): number {
  for (let node = from; ; node = suffixes[node] ?? 0) {
    const child = follow(edges, node, code)
    if (child !== 0 || node === 0) return child
  }
}

function byDepth({ parents, size }: Automaton): Int32Array {
  const depths = new Int32Array(size)
  for (let node = 1; node < size; node++) depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1
  return Int32Array.from({ length: size - 1 }, (_, i) => i + 1).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))
}

function* walk(automaton: Automaton, text: string, onMatch: OnMatch): Steps<void> {
  let node = 0
  for (let start = 0; start < text.length; start += PIECE_LENGTH) {
    if (start > 0) yield
    node = walkPiece(automaton, node, text.slice(start, start + PIECE_LENGTH), (phrase, end) => onMatch(phrase, start + end))
  }
}

/** Walks on from a node. Returns the node that is reached. */
function walkPiece(automaton: Automaton, from: number, piece: string, onMatch: OnMatch): number {
  const { phrases, outputs, twins } = automaton
  let node = from
  for (let i = 0; i < piece.length; i++) {
    node = descend(automaton, node, piece.charCodeAt(i))
    for (let at = node; at !== 0; at = outputs[at] ?? 0) {
      for (let one = phrases[at] ?? 0; one !== 0; one = twins[one - 1] ?? 0) onMatch(one - 1, i + 1)
    }
  }
  return node
}
