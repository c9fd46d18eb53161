/** Calls back for each phrase that ends at `end` (exclusive) in the text. */
export type Visit = (phrase: number, end: number) => void

/** Finds all of many phrases in one pass over a text, after Aho and Corasick (1975): time linear in text and matches. */
export function buildAutomaton(phrases: string[]): (text: string, visit: Visit) => void {
  const next: Map<number, number>[] = [new Map()]
  const ends: number[][] = [[]]
  phrases.forEach((phrase, index) => {
    let node = 0
    for (let i = 0; i < phrase.length; i++) node = step(next, ends, node, phrase.charCodeAt(i))
    ends[node]?.push(index)
  })
  const fail = link(next, ends)
  const table = pack(next)
  return (text, visit) => walk(text, visit, table, fail, ends)
}

function step(next: Map<number, number>[], ends: number[][], node: number, code: number): number {
  const known = next[node]?.get(code)
  if (known !== undefined) return known
  const made = next.push(new Map()) - 1
  ends.push([])
  next[node]?.set(code, made)
  return made
}

/** The longest proper suffix of each node that is a node too; a node also takes over what ends at its suffix. */
function link(next: Map<number, number>[], ends: number[][]): Int32Array {
  const fail = new Int32Array(next.length)
  const queue = [...(next[0]?.values() ?? [])]
  for (let head = 0; head < queue.length; head++) {
    const node = queue[head] ?? 0
    for (const [code, child] of next[node] ?? []) {
      let back = fail[node] ?? 0
      while (back !== 0 && !next[back]?.has(code)) back = fail[back] ?? 0
      fail[child] = next[back]?.get(code) ?? 0
      ends[child]?.push(...(ends[fail[child] ?? 0] ?? []))
      queue.push(child)
    }
  }
  return fail
}

type Table = { nodes: Int32Array; codes: Uint16Array; values: Int32Array; mask: number; roots: Int32Array }

const slot = (node: number, code: number, mask: number) => (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & mask

/** All edges in one open hash table, and those of the root, where most letters lead, in a table of their own. */
function pack(next: Map<number, number>[]): Table {
  let size = 1024
  while (size < next.length * 3) size *= 2
  const table = {
    nodes: new Int32Array(size).fill(-1),
    codes: new Uint16Array(size),
    values: new Int32Array(size),
    mask: size - 1,
    roots: new Int32Array(65536),
  }
  next.forEach((edges, node) => {
    for (const [code, child] of edges) {
      if (node === 0) table.roots[code] = child
      let at = slot(node, code, table.mask)
      while (table.nodes[at] !== -1) at = (at + 1) & table.mask
      table.nodes[at] = node
      table.codes[at] = code
      table.values[at] = child
    }
  })
  return table
}

function follow(table: Table, node: number, code: number): number {
  for (let at = slot(node, code, table.mask); table.nodes[at] !== -1; at = (at + 1) & table.mask) {
    if (table.nodes[at] === node && table.codes[at] === code) return table.values[at] ?? 0
  }
  return 0
}

function walk(text: string, visit: Visit, table: Table, fail: Int32Array, ends: number[][]): void {
  let node = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    let to = 0
    while (node !== 0) {
      to = follow(table, node, code)
      if (to !== 0) break
      node = fail[node] ?? 0
    }
    node = to !== 0 ? to : (table.roots[code] ?? 0)
    const found = ends[node] ?? []
    for (let k = 0; k < found.length; k++) visit(found[k] ?? 0, i + 1)
  }
}
