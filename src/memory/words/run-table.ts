import { textHash } from './hash.ts'

/** What was made of each run of characters of a text, found without cutting the run out of the text. */
export type RunTable<Made extends { run: string }> = {
  /** What was made of `text` from `start` up to `end`; made now where it is not remembered. */
  at: (text: string, start: number, end: number) => Made
}

/** One generation: an open table of positions, and what stands there. */
type Generation<Made> = { slots: Uint32Array; hashes: number[]; made: Made[] }

/** A table is at most half full. */
const ROOM = 2

/** Remembers up to twice `most` runs (a power of two): what two generations hold is the working vocabulary. */
export function createRunTable<Made extends { run: string }>(most: number, make: (run: string) => Made): RunTable<Made> {
  let young = newGeneration<Made>(most)
  let old = newGeneration<Made>(0)
  return {
    at: (text, start, end) => {
      const hash = textHash(text, start, end)
      const found = look(young, hash, text, start, end)
      if (found !== undefined) return found
      const made = look(old, hash, text, start, end) ?? make(text.slice(start, end))
      if (young.made.length >= most) {
        old = young
        young = newGeneration(most)
      }
      add(young, hash, made)
      return made
    },
  }
}

function newGeneration<Made>(most: number): Generation<Made> {
  return { slots: new Uint32Array(Math.max(1, most * ROOM)), hashes: [], made: [] }
}

function look<Made extends { run: string }>(
  from: Generation<Made>,
  hash: number,
  text: string,
  start: number,
  end: number,
): Made | undefined {
  const { slots, hashes, made } = from
  const mask = slots.length - 1
  for (let slot = hash & mask, at = slots[slot] ?? 0; at !== 0; slot = (slot + 1) & mask, at = slots[slot] ?? 0) {
    const one = made[at - 1]
    if (one !== undefined && hashes[at - 1] === hash && isSame(one.run, text, start, end)) return one
  }
  return undefined
}

function add<Made>({ slots, hashes, made }: Generation<Made>, hash: number, one: Made): void {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  made.push(one)
  hashes.push(hash)
  slots[slot] = made.length
}

/** The very same characters: a hash alone could be aimed at. */
function isSame(run: string, text: string, start: number, end: number): boolean {
  if (run.length !== end - start) return false
  for (let at = 0; at < run.length; at++) if (run.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  return true
}
