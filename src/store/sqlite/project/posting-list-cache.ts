/** Numbers that this process keeps of lists of all projects, 1 MiB of them: questions repeat their common words, whose lists take longest to read. */
const ROOM = 1 << 18
/** Written round and round, so that no garbage comes of what is kept: a list given is a copy. */
const numbers = new Uint32Array(ROOM)
/** Numbers ever written. What begins more than a round before was written over. */
let written = 0

type Kept = { start: number; count: number }

/** Where the lists stand, the first written first; some of them may be written over. */
const places = new Map<string, Kept>()
const MOST_PLACES = 1 << 12

/** The list that was kept under that name last; undefined where it is there no more. A name says of which file it is, and as of which commit. */
export function recallPostings(name: string): Uint32Array | undefined {
  const place = places.get(name)
  if (place === undefined || written - place.start > ROOM) return undefined
  return numbers.slice(place.start % ROOM, (place.start % ROOM) + place.count)
}

export function keepList(name: string, list: Uint32Array): void {
  if (list.length > ROOM) return
  const left = ROOM - (written % ROOM)
  if (list.length > left) written += left
  places.delete(name)
  places.set(name, { start: written, count: list.length })
  numbers.set(list, written % ROOM)
  written += list.length
  const [oldest] = places.keys()
  if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest)
}
