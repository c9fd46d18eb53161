import type { ProjectReads } from '../../store/project.ts'
import type { TokenizedRecord } from './scorer.ts'

/** Records of one project read lately. A record's text never changes, and its number is another's only after an erasure. */
export type TokenCache = { find: (seq: number) => TokenizedRecord | undefined; keep: (seq: number, doc: TokenizedRecord) => void }

/** Codes that this process keeps of all projects, 4 MiB of them: the newest, written round and round, so that no garbage comes of it. */
const ROOM = 1 << 20
const LARGEST = ROOM / 64
const codes = new Uint32Array(ROOM)
/** Codes ever written. What begins more than a round before was written over. */
let written = 0

/** One place for each record; another record of the same place takes it. */
const PLACES = 1 << 15
const names = new Float64Array(PLACES)
const starts = new Float64Array(PLACES)
const counts = new Uint32Array(PLACES)
const lengths = new Uint32Array(PLACES)

/** More records than any project has. */
const SPAN = 2 ** 32
/** A project between two erasures has one number here, never given before. */
const numbers = new WeakMap<ProjectReads, { erasures: number; number: number }>()
let given = 0

/** The part of this process's memory of records that is a project's, since its last erasure. */
export function tokenCacheOf(project: ProjectReads, erasures: number): TokenCache {
  const known = numbers.get(project)
  const { number } = known?.erasures === erasures ? known : { number: ++given }
  if (number !== known?.number) numbers.set(project, { erasures, number })
  return { find: (seq) => find(number * SPAN + seq), keep: (seq, doc) => keep(number * SPAN + seq, doc) }
}

/** Neighbours have neighbouring places, and projects begin at different ones. */
const placeOf = (name: number) => (Math.floor(name / SPAN) * 7919 + name) % PLACES

function find(name: number): TokenizedRecord | undefined {
  const place = placeOf(name)
  const start = starts[place] ?? 0
  if (names[place] !== name || written - start > ROOM) return undefined
  const from = start % ROOM
  return { codes: codes.slice(from, from + (counts[place] ?? 0)), length: lengths[place] ?? 1 }
}

function keep(name: number, doc: TokenizedRecord): void {
  const count = doc.codes.length
  if (count > LARGEST) return
  const left = ROOM - (written % ROOM)
  if (count > left) written += left
  const place = placeOf(name)
  names[place] = name
  starts[place] = written
  counts[place] = count
  lengths[place] = doc.length
  codes.set(doc.codes, written % ROOM)
  written += count
}
