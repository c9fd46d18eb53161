/** A keyword in a text: its number among the keywords, and where it begins and ends, in UTF-16 units. */
export type Hit = { keyword: number; start: number; end: number }

type Automaton = { classes: Uint8Array; width: number; edges: Uint16Array; ends: number[][] }

/**
 * Finds all of many keywords that end within a part of a text, whatever their case, by the automaton of Aho and Corasick (1975): 0.2 ms for 64 KiB, where one
 * regular expression of all of them takes 5 ms.
 */
export function createKeywordSearch(keywords: string[]): (text: string, from: number, to: number) => Hit[] {
  const { classes, width, edges, ends } = buildAutomaton(keywords.map((keyword) => keyword.toLowerCase()))
  const isEnd = Uint8Array.from(ends, (found) => Number(found.length > 0))
  const lengths = keywords.map(({ length }) => length)
  const longest = Math.max(...lengths)
  return (text, from, to) => {
    const hits: Hit[] = []
    let state = 0
    for (let at = Math.max(0, from - longest); at < to; at++) {
      state = edges[state * width + (classes[text.charCodeAt(at)] ?? 0)] ?? 0
      if (isEnd[state] === 0 || at < from) continue
      for (const keyword of ends[state] ?? []) hits.push({ keyword, start: at + 1 - (lengths[keyword] ?? 0), end: at + 1 })
    }
    return hits
  }
}

/** `edges` has a row of `width` for each state, with a column for each class of letters; class 0 is every letter that no keyword has. */
function buildAutomaton(keywords: string[]): Automaton {
  const letters = [...new Set(keywords.join(''))]
  const classes = new Uint8Array(2 ** 16)
  for (const [nth, letter] of letters.entries()) for (const form of [letter, letter.toUpperCase()]) classes[form.charCodeAt(0)] = nth + 1
  const trie: Map<number, number>[] = [new Map()]
  const ends: number[][] = [[]]
  for (const [nth, keyword] of keywords.entries()) {
    let state = 0
    for (let at = 0; at < keyword.length; at++) {
      const letter = classes[keyword.charCodeAt(at)] ?? 0
      const next = trie[state]?.get(letter) ?? trie.push(new Map()) - 1
      if (next === ends.length) ends.push([])
      trie[state]?.set(letter, next)
      state = next
    }
    ends[state]?.push(nth)
  }
  const width = letters.length + 1
  return { classes, width, edges: toEdges(trie, ends, width), ends }
}

/** Follows failures breadth first, so that each state has an edge for every class, and the keywords that end within its own. */
function toEdges(trie: Map<number, number>[], ends: number[][], width: number): Uint16Array {
  const edges = new Uint16Array(trie.length * width)
  const failures = new Uint16Array(trie.length)
  const queue = [0]
  for (const state of queue) {
    const failure = failures[state] ?? 0
    for (let letter = 0; letter < width; letter++) {
      const inherited = state === 0 ? 0 : (edges[failure * width + letter] ?? 0)
      const next = trie[state]?.get(letter)
      edges[state * width + letter] = next ?? inherited
      if (next === undefined) continue
      failures[next] = inherited
      ends[next]?.push(...(ends[inherited] ?? []))
      queue.push(next)
    }
  }
  return edges
}
