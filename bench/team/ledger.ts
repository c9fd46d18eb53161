import { performance } from 'node:perf_hooks'

/** Milliseconds since 1970 that never go backwards, so that keys' ends and answers can be put in order. */
export const now = () => performance.timeOrigin + performance.now()

/** What a caller saved, and what it was told of it. Times are those of `now`. */
export type Entry = {
  number: number
  content: string
  project: string
  /** `*`, `d:<department>` or `a:<author>`, as the service has it. */
  audience: string
  askedAt: number
  /** Set when the save is acknowledged. */
  id?: string
  toldAt?: number
  /** Of a save that the service says did not happen. */
  isRefused?: boolean
  forgetAskedAt?: number
  forgottenAt?: number
  fact?: Fact
  /** What happened to it, in order, for whoever reads a violation. */
  history: string[]
}

/** A fact that is corrected by one caller after the other. */
export type Fact = {
  key: string
  project: string
  audience: string
  /** Its records in the order of saving. */
  chain: Entry[]
  /** A caller changes it now. */
  isHeld: boolean
  changedAt: number
  /** A change was neither acknowledged nor refused, so that its current record is not known any more. */
  isUncertain: boolean
}

export type Ledger = ReturnType<typeof createLedger>

/** What was acknowledged, to whom it may be visible, and what contradicts that. */
export function createLedger() {
  const entries: Entry[] = []
  const facts: Fact[] = []
  const [byContent, byId] = [new Map<string, Entry>(), new Map<string, Entry>()]
  const counts = new Map<string, number>()
  const violations: { text: string; history: string[] }[] = []
  const violate = (text: string, entry?: Entry) => void violations.push({ text, history: entry?.history ?? [] })
  return {
    entries,
    facts,
    byId,
    byContent,
    counts,
    violations,
    violate,
    count: (kind: string, by = 1) => void counts.set(kind, (counts.get(kind) ?? 0) + by),
    add: (content: (number: number) => string, place: Pick<Entry, 'project' | 'audience'>, by: string): Entry => {
      const number = entries.length + 1_000
      const entry: Entry = { number, content: content(number), ...place, askedAt: now(), history: [] }
      entries.push(entry)
      byContent.set(entry.content, entry)
      note(entry, `${by} saves '${entry.content}' for ${place.audience}`)
      return entry
    },
    tell: (entry: Entry, id: string) => {
      const other = byId.get(id)
      if (other !== undefined && other !== entry) violate(`one id for two saves: ${id}`, other)
      byId.set(id, entry)
      entry.id = id
      entry.toldAt = now()
      note(entry, `told ${id}`)
    },
  }
}

export const note = (entry: Entry, text: string) =>
  void entry.history.push(`${new Date(now()).toISOString().slice(11, 23)} ${text}`)

/** The record of a fact that holds: the last one that is not forgotten. */
export const currentOf = ({ chain }: Fact) =>
  chain.findLast((entry) => entry.toldAt !== undefined && entry.forgottenAt === undefined)

/** Of a moment, or a span of time: whether the entry was certainly there throughout. */
export const isSurelyThere = ({ toldAt, forgetAskedAt }: Entry, from: number, to: number) =>
  toldAt !== undefined && toldAt < from && (forgetAskedAt === undefined || forgetAskedAt > to)
