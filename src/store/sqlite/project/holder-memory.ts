/** Lists of numbers that this process keeps of all projects, 1 MiB of them: questions repeat their common words, whose lists take longest to read. */
const ROOM = 1 << 18
/** What a list takes beside its numbers, as many of them: its name, and its place here. */
const OVERHEAD = 64

/** The least recently asked for first. */
const lists = new Map<string, Uint32Array>()
let taken = 0

/** The list of that name as it was read last, or read now. A name says of which file it is, and as of which commit. */
export function recallList(name: string, read: () => Uint32Array): Uint32Array {
  const known = lists.get(name)
  if (known !== undefined) {
    lists.delete(name)
    lists.set(name, known)
    return known
  }
  const list = read()
  lists.set(name, list)
  taken += list.length + OVERHEAD
  if (taken > ROOM) dropOldest()
  return list
}

function dropOldest(): void {
  for (const [name, { length }] of lists) {
    lists.delete(name)
    taken -= length + OVERHEAD
    if (taken <= ROOM) return
  }
}
