import type { Steps } from '../../cooperative.ts'
import { PIECE_LENGTH } from '../pieces.ts'

/** Calls back for each phrase that ends at `end` (exclusive) in the text. */
export type OnMatch = (phrase: number, end: number) => void

/** Nodes of the trie by number; 0 is the root, and stands for "none" among edges, suffixes and phrases. */
type Trie = {
  edges: Edges
  /** Where each node hangs, and by which character. */
  parents: Int32Array
  codes: Uint16Array
  /** The longest proper suffix of the node that is a node too. */
  suffixes: Int32Array
  /** One more than the last phrase that ends here, and the nearest suffix where others end. */
  phrases: Int32Array
  shorter: Int32Array
  /** For each phrase, one more than the one before it with the same text. */
  twins: Int32Array
  size: number
}

/** All edges in one open hash table. Typed arrays throughout: a map for each of the 100 000 nodes would take 30 MB. */
type Edges = { nodes: Int32Array; codes: Uint16Array; children: Int32Array; mask: number }

/** Finds all of many phrases in one pass over a text, after Aho and Corasick (1975): time linear in text and matches. */
export function buildAutomaton(phrases: string[]): (text: string, visit: OnMatch) => Steps<void> {
  const trie = makeTrie(
    phrases.reduce((sum, { length }) => sum + length, 1),
    phrases.length,
  )
  phrases.forEach((phrase, index) => {
    const node = insert(trie, phrase)
    trie.twins[index] = trie.phrases[node] ?? 0
    trie.phrases[node] = index + 1
  })
  link(trie)
  return (text, visit) => walk(trie, text, visit)
}

/** Room for `most` nodes. */
function makeTrie(most: number, phrases: number): Trie {
  const places = 2 ** Math.ceil(Math.log2(most * 2))
  const edges = { nodes: new Int32Array(places), codes: new Uint16Array(places), children: new Int32Array(places), mask: places - 1 }
  const perNode = () => new Int32Array(most)
  const twins = new Int32Array(phrases)
  return {
    edges,
    parents: perNode(),
    codes: new Uint16Array(most),
    suffixes: perNode(),
    phrases: perNode(),
    shorter: perNode(),
    twins,
    size: 1,
  }
}

/** The place of an edge in the table, or the free one where it belongs. */
function placeOf({ nodes, codes, children, mask }: Edges, node: number, code: number): number {
  let at = (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & mask
  while (children[at] !== 0 && !(nodes[at] === node && codes[at] === code)) at = (at + 1) & mask
  return at
}

const follow = (edges: Edges, node: number, code: number) => edges.children[placeOf(edges, node, code)] ?? 0

function insert(trie: Trie, phrase: string): number {
  let node = 0
  for (let i = 0; i < phrase.length; i++) {
    const code = phrase.charCodeAt(i)
    node = follow(trie.edges, node, code) || addChild(trie, node, code)
  }
  return node
}

function addChild(trie: Trie, node: number, code: number): number {
  const child = trie.size++
  const at = placeOf(trie.edges, node, code)
  trie.edges.nodes[at] = node
  trie.edges.codes[at] = code
  trie.edges.children[at] = child
  trie.parents[child] = node
  trie.codes[child] = code
  return child
}

/** Suffixes by breadth: those of a node follow from its parent's, which lies a level higher. */
function link(trie: Trie): void {
  const { parents, codes, suffixes, phrases, shorter } = trie
  for (const node of byDepth(trie)) {
    const parent = parents[node] ?? 0
    const code = codes[node] ?? 0
    const suffix = parent === 0 ? 0 : descend(trie, suffixes[parent] ?? 0, code)
    suffixes[node] = suffix
    shorter[node] = phrases[suffix] === 0 ? (shorter[suffix] ?? 0) : suffix
  }
}

/** The node reached from this one, or from the first of its suffixes that has such an edge. */
function descend({ edges, suffixes }: Trie, from: number, code: number): number {
  for (let node = from; ; node = suffixes[node] ?? 0) {
    const child = follow(edges, node, code)
    if (child !== 0 || node === 0) return child
  }
}

function byDepth({ parents, size }: Trie): Int32Array {
  const depths = new Int32Array(size)
  for (let node = 1; node < size; node++) depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1
  return Int32Array.from({ length: size - 1 }, (_, i) => i + 1).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0))
}

function* walk(trie: Trie, text: string, visit: OnMatch): Steps<void> {
  const { phrases, shorter, twins } = trie
  let node = 0
  for (let i = 0; i < text.length; i++) {
    if (i % PIECE_LENGTH === PIECE_LENGTH - 1) yield
    node = descend(trie, node, text.charCodeAt(i))
    for (let at = node; at !== 0; at = shorter[at] ?? 0) {
      for (let one = phrases[at] ?? 0; one !== 0; one = twins[one - 1] ?? 0) visit(one - 1, i + 1)
    }
  }
}
