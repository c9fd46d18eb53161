import { type Static, Type } from 'typebox'
import type { ProjectStore } from '../../../store/project.ts'
import type { RecordHead, Visible } from '../../../store/record.ts'
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
 * The share of the weight of these terms that a similar record holds, and their number at least. Tuned by
 * bench/similar.ts: with three terms 3 % of the notes of other teams name a record, and 95 % of the questions with
 * words of a note name it; with five 1 and 97 %, for nearly twice the time.
 */
const MIN_SHARE = 0.35
const MIN_HELD = 2

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
 * the answer names anyway: the saved one, `saved`, and those that it superseded or contradicts. Heads are read first,
 * since most records of a fact that often changes are superseded.
 */
export async function selectSimilar(
  project: ProjectStore,
  visible: Visible,
  { keyed, lists }: Candidates,
  draft: Draft,
  { saved, named }: { saved: number; named: Set<string> },
): Promise<Similar[]> {
  const near = rankNear(lists.map((seqs) => seqs.filter((seq) => seq !== saved)))
  const seqs = [...new Set([...keyed, ...near])].filter((seq) => seq !== saved)
  if (seqs.length === 0) return []
  const heads = new Map((await project.findHeadsBySeq(visible, seqs)).map((head) => [head.seq, head]))
  const chosen = seqs
    .flatMap((seq) => heads.get(seq) ?? [])
    .filter(({ id, status, marked }) => status !== 'superseded' && !marked && !named.has(id))
    .slice(0, MAX_SIMILAR)
  return chosen.length === 0 ? [] : readSimilar(project, visible, chosen, draft)
}

/** The records of these heads, in their order, without those in a workspace that is removed. */
async function readSimilar(
  project: ProjectStore,
  visible: Visible,
  heads: RecordHead[],
  draft: Draft,
): Promise<Similar[]> {
  const [records, workspaces] = await Promise.all([
    project.findRecordsBySeq(
      visible,
      heads.map(({ seq }) => seq),
    ),
    project.findWorkspacesById([...new Set(heads.map(({ workspaceId }) => workspaceId))]),
  ])
  const contents = new Map(records.map(({ id, content }) => [id, content]))
  const names = new Map(workspaces.flatMap(({ id, name, removedAt }) => (removedAt === null ? [[id, name]] : [])))
  return heads.flatMap(({ id, workspaceId, factKey }) => {
    const [content, workspace] = [contents.get(id), names.get(workspaceId)]
    if (content === undefined || workspace === undefined) return []
    const isSameKey = draft.factKeyGiven && toComparableKey(factKey) === toComparableKey(draft.factKey)
    return { id, content: cutContent(content), workspace, ...(isSameKey && { same_key: true as const }) }
  })
}

const cutContent = (content: string): string =>
  [...content.slice(0, 2 * MAX_SHOWN_CHARACTERS)].slice(0, MAX_SHOWN_CHARACTERS).join('')

/** Numbers of the records that hold most of the terms that few hold, nearest first. */
function rankNear(lists: Uint32Array[]): number[] {
  const held = new Map<number, { weight: number; terms: number }>()
  let whole = 0
  for (const seqs of lists.filter(({ length }) => length < MAX_DOCUMENT_FREQUENCY)) {
    const weight = Math.log(MAX_DOCUMENT_FREQUENCY / (seqs.length + 1))
    whole += weight
    for (const seq of seqs) {
      const before = held.get(seq) ?? { weight: 0, terms: 0 }
      held.set(seq, { weight: before.weight + weight, terms: before.terms + 1 })
    }
  }
  const near = [...held].filter(([, { weight, terms }]) => terms >= MIN_HELD && weight >= MIN_SHARE * whole)
  return near
    .sort(([a, one], [b, other]) => other.weight - one.weight || b - a)
    .slice(0, 2 * MAX_SIMILAR)
    .map(([seq]) => seq)
}
