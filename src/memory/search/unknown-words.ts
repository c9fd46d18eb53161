import { yieldIfDue } from '../../cooperative.ts'
import { contains } from './candidates.ts'
import { MAX_POSTINGS } from './index/search-index.ts'
import { isJoinedForm, type QueryTerm } from './query/parse-query.ts'

/**
 * For each rare term of a query that a record holds in any form, the posting lists of these forms, none of them empty.
 */
export type HeldTerms = Map<QueryTerm, Uint32Array[]>

/**
 * What no record holds of a query, in its order: words, and compounds that no record holds in the joined form or with
 * all parts together. So an identifier is named although other records hold each of its parts.
 */
export async function findUnknownWords(parsed: QueryTerm[], held: HeldTerms): Promise<string[]> {
  const rare = parsed.filter(({ use }) => use === 'rare')
  const heldNames = new Set([...held.keys()].map(({ name }) => name))
  const compounds = Map.groupBy(rare, ({ compound }) => compound)
  const unknown = new Set<string>()
  for (const { name, compound } of rare) {
    if (compound === undefined && name !== undefined && !heldNames.has(name)) unknown.add(name)
    const terms = compound && compounds.get(compound)
    if (compound === undefined || terms === undefined) continue
    compounds.delete(compound)
    const due = yieldIfDue()
    if (due !== undefined) await due
    if (!isCompoundHeld(terms, held)) unknown.add(compound.text)
  }
  return [...unknown]
}

/** Whether a record holds the joined form of a compound, or all of its parts. `terms` are its rare terms. */
function isCompoundHeld(terms: QueryTerm[], held: HeldTerms): boolean {
  if (terms.some((term) => isJoinedForm(term) && held.has(term))) return true
  const parts = terms.filter(({ name }) => name !== undefined)
  return parts.every((part) => held.has(part)) && isAnyInAll(parts.map((part) => held.get(part) ?? []))
}

/**
 * Whether a number is in a list of each group. A list that was cut counts as having every number. Time is in proportion
 * to the shortest group.
 */
function isAnyInAll(groups: Uint32Array[][]): boolean {
  const lengthOf = (lists: Uint32Array[]) => lists.reduce((sum, { length }) => sum + length, 0)
  const isCut = ({ length }: Uint32Array) => length >= MAX_POSTINGS
  const uncut = groups.filter((lists) => !lists.some(isCut)).sort((a, b) => lengthOf(a) - lengthOf(b))
  const [shortest, ...others] = uncut
  if (shortest === undefined) return true
  return shortest.some((list) =>
    list.some((seq) => others.every((lists) => lists.some((other) => contains(other, seq)))),
  )
}
