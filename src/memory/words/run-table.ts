import { textHash } from './hash.ts'

/** What was made of each run of characters of a text, found without cutting the run out of the text. */
export type RunTable<Made extends { run: string }> = {
  /** What was made of `text` from `start` up to `end`; made now where it is not remembered. */
  at: (text: string, start: number, end: number) => Made
}

/** One generation: an open table of hashes, each with the place of what was made. */
type Generation<Made> = { slots: Uint32Array; made: Made[] }

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
  return { slots: new Uint32Array(2 * Math.max(1, most * ROOM)), made: [] }
}

function look<Made extends { run: string }>(
  from: Generation<Made>,
  hash: number,
  text: string,
  start: number,
  end: number,
): Made | undefined {
  const { slots, made } = from
  const mask = slots.length - 1
  for (let slot = (hash << 1) & mask, place = slots[slot + 1] ?? 0; place !== 0; slot = (slot + 2) & mask, place = slots[slot + 1] ?? 0) {
    if (slots[slot] !== hash) continue
    const one = made[place - 1]
    if (one !== undefined && isSame(one.run, text, start, end)) return one
  }
  return undefined
}

function add<Made>({ slots, made }: Generation<Made>, hash: number, one: Made): void {
  const mask = slots.length - 1
  let slot = (hash << 1) & mask
  while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
  made.push(one)
  slots[slot] = hash
  slots[slot + 1] = made.length
}

/** The very same characters: a hash alone could be aimed at. */
function isSame(run: string, text: string, start: number, end: number): boolean {
  if (run.length !== end - start) return false
  for (let at = 0; at < run.length; at++) if (run.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  return true
}
