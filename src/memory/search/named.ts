import { type Match, toGivenMatches } from './match.ts'
import { MAX_LIMIT, MAX_WORDS_OFFSET, type SearchRequest } from './request.ts'

/** Longest name of a source. */
const MAX_NAME_LENGTH = 512
/** Records that a query names, at most: those of all pages, and one that tells whether there are more. */
const MAX_NAMED = MAX_WORDS_OFFSET + MAX_LIMIT + 1

/**
 * Records whose id or fact key is the query, or whose source is it or ends with it after a slash: fresh ones before stale ones, of both the one saved last
 * first.
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
