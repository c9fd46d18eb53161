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

type Table = { keys: Float64Array; values: Int32Array; mask: number }

const slot = (node: number, code: number, mask: number) => (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & mask

function pack(next: Map<number, number>[]): Table {
  let size = 1024
  while (size < next.length * 3) size *= 2
  const table = { keys: new Float64Array(size).fill(-1), values: new Int32Array(size), mask: size - 1 }
  next.forEach((edges, node) => {
    for (const [code, child] of edges) {
      let at = slot(node, code, table.mask)
      while (table.keys[at] !== -1) at = (at + 1) & table.mask
      table.keys[at] = node * 65536 + code
      table.values[at] = child
    }
  })
  return table
}

function follow(table: Table, node: number, code: number): number {
  const key = node * 65536 + code
  for (let at = slot(node, code, table.mask); ; at = (at + 1) & table.mask) {
    if (table.keys[at] === key) return table.values[at] ?? -1
    if (table.keys[at] === -1) return -1
  }
}

function walk(text: string, visit: Visit, table: Table, fail: Int32Array, ends: number[][]): void {
  let node = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    let to = follow(table, node, code)
    while (to === -1 && node !== 0) {
      node = fail[node] ?? 0
      to = follow(table, node, code)
    }
    node = to === -1 ? 0 : to
    for (const phrase of ends[node] ?? []) visit(phrase, i + 1)
  }
}
