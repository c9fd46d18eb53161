import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { CurrentStatus, Fact, RecordHead } from '../../store/record.ts'
import { MAX_LISTED } from './excerpt.ts'

/** Records met on the way: at most `MAX_LISTED` of them, and how many there were. */
export type Met = { heads: RecordHead[]; total: number }

/** Records that one act supersedes in one transaction, and a person at once: with the longest contents some 10 ms. More take further ones. */
export const MAX_TOGETHER = 8
/** Rivals are counted up to so many. */
const MAX_COUNTED = 50_000

/** A record under a fact key, given or derived. A derived key has no rivals. */
export type InFact = Fact & Pick<RecordHead, 'factKeyGiven'>

/** Which rivals give way. */
export type Yielding = { statuses: CurrentStatus[]; savedUntil?: number }

/** Rivals that stay beside the record, or are only looked at. */
export async function meetRivals(tx: ProjectReads, fact: InFact, status: CurrentStatus): Promise<Met> {
  const heads = await listRivals(tx, fact, { statuses: [status] }, MAX_LISTED)
  return { heads, total: heads.length < MAX_LISTED ? heads.length : await tx.countRivals(fact, status, MAX_COUNTED) }
}

/** At most `limit` rivals of these statuses, in the order of the statuses. */
export async function listRivals(tx: ProjectReads, fact: InFact, { statuses, ...rest }: Yielding, limit: number): Promise<RecordHead[]> {
  if (!fact.factKeyGiven) return []
  const found: RecordHead[] = []
  for (const status of statuses) found.push(...(await tx.listRivals(fact, { ...rest, status, limit: limit - found.length })))
  return found
}

/** Supersedes some of the rivals by the record of this id. Returns those; where they are `MAX_TOGETHER`, `supersedeRest` is to be called after the write. */
export async function supersedeSome(tx: ProjectWrites, by: InFact & { id: string }, yielding: Yielding): Promise<RecordHead[]> {
  const rivals = await listRivals(tx, by, yielding, MAX_TOGETHER)
  for (const { id } of rivals) await tx.updateRecord(id, { status: 'superseded', supersededBy: by.id })
  return rivals
}

/** Goes on with what `supersedeSome` began inside a write, where that may have left some. Returns what both met. */
export async function supersedeRest(project: ProjectStore, by: InFact & { id: string }, yielding: Yielding, begun: Met): Promise<Met> {
  if (begun.total < MAX_TOGETHER) return begun
  const rest = await supersedeInSteps(project, by, yielding)
  return { heads: [...begun.heads, ...rest.heads].slice(0, MAX_LISTED), total: begun.total + rest.total }
}

/**
 * Supersedes rivals in several writes, as long as the record is current itself. A crash leaves some of them current, until the next save of the fact
 * supersedes them.
 */
export async function supersedeInSteps(project: ProjectStore, by: InFact & { id: string }, yielding: Yielding): Promise<Met> {
  const met: Met = { heads: [], total: 0 }
  for (;;) {
    await yieldIfDue()
    const step = await project.write(async (tx) => ((await isCurrent(tx, by.id)) ? supersedeSome(tx, by, yielding) : []))
    met.heads.push(...step.slice(0, MAX_LISTED - met.heads.length))
    met.total += step.length
    if (step.length < MAX_TOGETHER) return met
  }
}

/** The same inside one write, for a process that answers nobody else. */
export async function supersedeAll(tx: ProjectWrites, by: InFact & { id: string }, yielding: Yielding): Promise<void> {
  while ((await supersedeSome(tx, by, yielding)).length >= MAX_TOGETHER);
}

async function isCurrent(tx: ProjectReads, id: string): Promise<boolean> {
  const found = await tx.findHead(undefined, id)
  return found !== undefined && found.status !== 'superseded'
}

export const toMet = (heads: RecordHead[]): Met => ({ heads, total: heads.length })
