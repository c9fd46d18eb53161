/**
 * A trie whose edges are words, or beginnings of words. A node is the place in `nodes` of the edge that leads to it: one
 * hash table with open addressing, so that a step touches one line of the cache.
 */
export type Trie = {
  /** Of each node in a row its parent, the hash of the edge to it, the edges from it, and its meanings. */
  nodes: Int32Array
  /**
   * A Bloom filter of the edges, 32 KiB with three bits of one word for each edge: most words follow no edge, and the
   * filter fits into the processor's cache, unlike the nodes.
   */
  filter: Int32Array
  /** Lists of concepts by their numbers in the meanings of nodes; the first is empty. */
  concepts: number[][]
}
const VALUES_PER_NODE = 4
const HASH = 1
/** Edges from a node: bit 0 for whole tokens, bit n for beginnings of n letters. */
export const EDGES = 2
export const WHOLE = 1
/** The class in the low byte, the topic in the next, the number of the list of concepts in the upper half. */
export const MEANINGS = 3

/** Place 0 leads to no node; the root has its room. */
export const NONE = 0
export const ROOT = 1
/**
 * Nodes below this one have the edges from the root that are beginnings of words with a stem or, if they are shorter
 * than a stem, with those first letters.
 */
export const BEGINNINGS = 2
const SLOTS = 1 << 16
const FILTER_WORDS = 1 << 13

export const createTrie = (): Trie => ({
  nodes: new Int32Array(SLOTS * VALUES_PER_NODE),
  filter: new Int32Array(FILTER_WORDS),
  concepts: [[]],
})

const hashEdge = (node: number, hash: number) =>
  Math.imul(Math.imul(node, 0x9e3779b1) ^ hash ^ (hash >>> 15), 0x85ebca6b)

/** The bits of an edge in its word of the filter. */
const bitsOf = (mixed: number) => (1 << (mixed >>> 14)) | (1 << (mixed >>> 9)) | (1 << (mixed >>> 4))
/** The number of that word. */
const wordOf = (mixed: number) => mixed >>> 19

/** The place of the node that an edge leads to, or the free one where it belongs. */
function placeOf(nodes: Int32Array, parent: number, hash: number): number {
  let at = hashEdge(parent, hash) >>> 16 || 1
  while (
    nodes[at * VALUES_PER_NODE] !== NONE &&
    !(nodes[at * VALUES_PER_NODE] === parent && nodes[at * VALUES_PER_NODE + HASH] === hash)
  )
    at = (at + 1) & (SLOTS - 1) || 1
  return at * VALUES_PER_NODE
}

/** The node that an edge leads to; NONE if there is no such edge. */
export function follow({ nodes, filter }: Trie, node: number, hash: number): number {
  const mixed = hashEdge(node, hash)
  const bits = bitsOf(mixed)
  if (((filter[wordOf(mixed)] ?? 0) & bits) !== bits) return NONE
  const place = placeOf(nodes, node, hash)
  return nodes[place] === NONE ? NONE : place
}

/** The edges from a node, as bits; none from NONE. */
export const edgesFrom = ({ nodes }: Trie, node: number) => (node === NONE ? 0 : (nodes[node + EDGES] ?? 0))

/** Adds an edge, unless it is there. Returns the node that it leads to. */
export function addNode({ nodes, filter }: Trie, parent: number, hash: number): number {
  const mixed = hashEdge(parent, hash)
  filter[wordOf(mixed)] = (filter[wordOf(mixed)] ?? 0) | bitsOf(mixed)
  const place = placeOf(nodes, parent, hash)
  nodes[place] = parent
  nodes[place + HASH] = hash
  return place
}

export function addEdges({ nodes }: Trie, node: number, edges: number): void {
  nodes[node + EDGES] = (nodes[node + EDGES] ?? 0) | edges
}
