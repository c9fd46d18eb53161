import type { Doc } from '../rank/match.ts'

/** Bytes of codes kept in each of two generations: what search reads often stays, and costs no reading and no analysis. */
const MOST_BYTES = 4 << 20
/** What an entry takes beside its codes, roughly. */
const OVERHEAD = 200
/** More records than any project has. */
const SPAN = 2 ** 36

/** Records of one project read lately. A record's text never changes, and its number is another's only after an erasure. */
export type DocMemory = { find: (seq: number) => Doc | undefined; keep: (seq: number, doc: Doc) => void }

const numbers = new Map<string, number>()
let young = new Map<number, Doc>()
let old = new Map<number, Doc>()
let bytes = 0

/** The part of this process's memory of records that is a project's, since its last erasure. */
export function docMemoryOf(projectId: string, erasures: number): DocMemory {
  const name = `${projectId} ${erasures}`
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return { find: (seq) => find(number * SPAN + seq), keep: (seq, doc) => keep(number * SPAN + seq, doc) }
}

function find(name: number): Doc | undefined {
  const doc = young.get(name)
  if (doc !== undefined) return doc
  const older = old.get(name)
  if (older !== undefined) keep(name, older)
  return older
}

function keep(name: number, doc: Doc): void {
  if (bytes > MOST_BYTES) {
    old = young
    young = new Map()
    bytes = 0
  }
  young.set(name, doc)
  bytes += doc.codes.byteLength + OVERHEAD
}
