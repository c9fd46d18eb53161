import { type Static, Type } from 'typebox'
import type { ProjectStore } from '../../../store/project.ts'
import type { Visible } from '../../../store/record.ts'
import { toComparableKey } from '../../../text/comparable.ts'
import { isEnding } from '../../../text/stem.ts'
import { languagesOfStopWord } from '../../../text/stop-words.ts'
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
/**
 * The longest terms of a save are looked up: as a rule they are the rarest. Terms that this many records contain or
 * more say too little about it.
 */
const MAX_TERMS = 3
const MIN_TERM_LENGTH = 4
const MAX_DOCUMENT_FREQUENCY = 100
/**
 * The share of the weight of these terms that a similar record holds, which has two of them at least. Tuned by
 * bench/similar.ts: with three terms 3 % of the notes of other teams name a record, and 95 % of the questions with
 * words of a note name it; with five 1 and 97 %, for nearly twice the time.
 */
const MIN_SHARE = 0.35

/** Numbers of the records with the given fact key of a save, and the posting list of each of its longest terms. */
type Candidates = { keyed: number[]; lists: Uint32Array[] }

export const NO_CANDIDATES: Candidates = { keyed: [], lists: [] }

/**
 * Reads committed posting lists, at most 101 postings of each of three terms, and no record, so that it can run beside
 * the write.
 *
 * @throws Error if the project cannot be read.
 */
export async function findCandidates(project: ProjectStore, visible: Visible, draft: Draft): Promise<Candidates> {
  const named = draft.factKeyGiven
    ? await project.selectLatest({ visible, factKey: draft.factKey, isUnmarked: true }, MAX_DOCUMENT_FREQUENCY)
    : undefined
  const groups = longestTerms(draft.entry.terms).map((term) => [term])
  // One more than counts as rare: the save itself may be among them already.
  const most = MAX_DOCUMENT_FREQUENCY + 1
  const query = { visible, workspaceId: undefined, groups, most, isForSave: true }
  const lists = groups.length === 0 ? [] : await project.findPostings(query)
  return { keyed: named?.seqs ?? [], lists }
}

function longestTerms(terms: string): string[] {
  const longest = new Set<string>()
  const long = terms.split(' ').filter(({ length }) => length >= MIN_TERM_LENGTH)
  for (const term of long.sort((a, b) => b.length - a.length)) {
    if (longest.size === MAX_TERMS) break
    if (!isEnding(term) && languagesOfStopWord(term) === 0) longest.add(term)
  }
  return [...longest]
}

/**
 * Up to three current records of any workspace that the caller sees and that say nearly the same as a save, or speak of
 * the same: first those with its given fact key, then those that hold most of its rare terms. Left out are those that
 * the answer names anyway, `named`: the saved one, and those that it superseded or contradicts.
 */
export async function selectSimilar(
  project: ProjectStore,
  visible: Visible,
  { keyed, lists }: Candidates,
  draft: Draft,
  { saved, named }: { saved: number; named: Set<number> },
): Promise<Similar[]> {
  const seqs = [...new Set([...keyed, ...rankNear(lists, saved)])].filter((seq) => !named.has(seq))
  if (seqs.length === 0) return []
  const excerpts = await project.findExcerptsBySeq(visible, seqs, MAX_SHOWN_CHARACTERS)
  const bySeq = new Map(excerpts.map((excerpt) => [excerpt.seq, excerpt]))
  const key = draft.factKeyGiven ? toComparableKey(draft.factKey) : undefined
  return seqs
    .flatMap((seq) => bySeq.get(seq) ?? [])
    .slice(0, MAX_SIMILAR)
    .map(({ id, content, workspace, factKey }) => ({
      ...{ id, content, workspace },
      ...(key !== undefined && toComparableKey(factKey) === key && { same_key: true as const }),
    }))
}

/** Numbers of the records other than the `saved` one that hold most of the terms that few hold, nearest first. */
function rankNear(lists: Uint32Array[], saved: number): number[] {
  const weights = new Map<number, number>()
  const near = new Set<number>()
  let whole = 0
  for (const seqs of lists) {
    const others = seqs.length - (seqs.includes(saved) ? 1 : 0)
    if (others >= MAX_DOCUMENT_FREQUENCY) continue
    const weight = Math.log(MAX_DOCUMENT_FREQUENCY / (others + 1))
    whole += weight
    for (const seq of seqs) {
      const before = weights.get(seq)
      if (before !== undefined) near.add(seq)
      weights.set(seq, (before ?? 0) + weight)
    }
  }
  near.delete(saved)
  const weightOf = (seq: number) => weights.get(seq) ?? 0
  return [...near]
    .filter((seq) => weightOf(seq) >= MIN_SHARE * whole)
    .sort((a, b) => weightOf(b) - weightOf(a) || b - a)
    .slice(0, 2 * MAX_SIMILAR)
}
