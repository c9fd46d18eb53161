import { type Match, toGivenMatches } from './match.ts'
import { MAX_LIMIT, MAX_WORDS_OFFSET, type SearchRequest } from './request.ts'

/** Longest name of a source, in UTF-16 units. */
const MAX_NAME_LENGTH = 512
/**
 * Maximum number of records that a query names: those of all pages, and one more to tell whether there are further
 * ones.
 */
const MAX_NAMED = MAX_WORDS_OFFSET + MAX_LIMIT + 1

/**
 * Records named by the query: it is their id, their fact key, their source, or the end of their source's path. Fresh
 * ones before stale ones, each newest first.
 */
export async function findNamed(request: SearchRequest): Promise<Match[]> {
  const { project, filter, words } = request
  const named = words?.trim() ?? ''
  if (named === '' || named.length > MAX_NAME_LENGTH) return []
  const selected = await project.selectLatest({ ...filter, named }, MAX_NAMED)
  if (selected === undefined || selected.seqs.length === 0) return []
  const heads = new Map((await project.findHeadsBySeq(filter.visible, selected.seqs)).map((head) => [head.seq, head]))
  const records = selected.seqs.map((seq) => heads.get(seq)).filter((head) => head !== undefined)
  const matches = await toGivenMatches(request, records)
  return [...matches.filter(({ stale }) => !stale), ...matches.filter(({ stale }) => stale)]
}
