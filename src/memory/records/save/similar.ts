import { type Static, Type } from 'typebox'
import type { ProjectStore } from '../../../store/project.ts'
import type { StoredRecord, Visible } from '../../../store/record.ts'
import { toComparableKey } from '../../../text/comparable.ts'
import { languagesOfStopWord } from '../../../text/stop-words.ts'
import { readWorkspaceNames } from '../lists/shown-record.ts'
import type { Draft } from './draft.ts'

/** A record that says nearly the same as a saved one, or speaks of the same. */
export const Similar = Type.Object({
  id: Type.String(),
  content: Type.String(),
  workspace: Type.String(),
  same_key: Type.Optional(Type.Literal(true, { description: 'It has the given fact key' })),
})
export type Similar = Static<typeof Similar>

/** Similar records that an answer names, and the characters shown of each content. */
const MAX_SIMILAR = 3
const MAX_SHOWN_CHARACTERS = 160
/** Terms of a save that are looked up, the longest, which are the rarest as a rule; and how many records may hold a term that says what the save is about. */
const MAX_TERMS = 5
const MIN_TERM_LENGTH = 4
const MAX_HOLDERS = 100
/**
 * The share of the weight of these terms that a similar record holds, and their number at least. Tuned by bench/similar.ts: none of 150 notes of other
 * teams finds a record, nearly all questions with words of a note find it.
 */
const MIN_SHARE = 0.35
const MIN_HELD = 2

/**
 * Up to three current records of any workspace that the caller sees and that say nearly the same as a save, or speak of the same: first those with its given fact
 * key, then those that hold most of its rare terms. It reads what is committed, and no record but those that it returns, so that it can run beside the write.
 */
export async function findSimilar(project: ProjectStore, visible: Visible, draft: Draft): Promise<StoredRecord[]> {
  const named = draft.factKeyGiven
    ? await project.selectLatest({ visible, factKey: draft.factKey, isUnmarked: true }, MAX_HOLDERS)
    : undefined
  const near = await findNear(project, visible, draft.entry.terms)
  const passing = near.length === 0 ? [] : await project.filterRecords({ visible, isUnmarked: true }, near)
  const seqs = [...(named?.seqs ?? []), ...near.filter((seq) => passing.includes(seq))]
  const read = await project.findRecordsBySeq(visible, seqs)
  return seqs.flatMap((seq) => read.find((record) => record.seq === seq) ?? [])
}

/** Numbers of the records that hold most of the rare terms among these, nearest first. */
async function findNear(project: ProjectStore, visible: Visible, terms: string): Promise<number[]> {
  const distinct = [...new Set(terms.split(' '))].filter((term) => term.length >= MIN_TERM_LENGTH && languagesOfStopWord(term) === 0)
  const longest = distinct.sort((a, b) => b.length - a.length).slice(0, MAX_TERMS)
  if (longest.length === 0) return []
  const groups = longest.map((term) => [term])
  const lists = await project.findPostings({ visible, workspaceId: undefined, groups, most: MAX_HOLDERS })
  const rare = lists.filter(({ length }) => length < MAX_HOLDERS)
  const held = new Map<number, { weight: number; terms: number }>()
  let whole = 0
  for (const seqs of rare) {
    const weight = Math.log(MAX_HOLDERS / (seqs.length + 1))
    whole += weight
    for (const seq of seqs) {
      const before = held.get(seq) ?? { weight: 0, terms: 0 }
      held.set(seq, { weight: before.weight + weight, terms: before.terms + 1 })
    }
  }
  const near = [...held].filter(([, { weight, terms: count }]) => count >= MIN_HELD && weight >= MIN_SHARE * whole)
  return near
    .sort(([a, one], [b, other]) => other.weight - one.weight || b - a)
    .slice(0, 2 * MAX_SIMILAR)
    .map(([seq]) => seq)
}

/** Similar records as an answer names them, without the saved one and those that it superseded or contradicts, which the answer names anyway. */
export async function nameSimilar(project: ProjectStore, found: StoredRecord[], draft: Draft, named: Set<string>): Promise<Similar[]> {
  const shown = found.filter(({ id, status }) => status !== 'superseded' && !named.has(id)).slice(0, MAX_SIMILAR)
  const workspaces = shown.length === 0 ? undefined : await readWorkspaceNames(project, shown)
  return shown.map((record) => ({
    id: record.id,
    content: [...record.content.slice(0, 2 * MAX_SHOWN_CHARACTERS)].slice(0, MAX_SHOWN_CHARACTERS).join(''),
    workspace: workspaces?.get(record.workspaceId) ?? '',
    ...(draft.factKeyGiven && toComparableKey(record.factKey) === toComparableKey(draft.factKey) && { same_key: true as const }),
  }))
}
