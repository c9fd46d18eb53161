import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { cutLong, MAX_ANSWER_CHARACTERS, shareRoom } from '../records/excerpt.ts'
import { readWorkspaceNames } from '../records/lists/shown-record.ts'
import { type MemoryRecord, toRecordFields } from '../records/record.ts'
import type { Matches } from './find-matches.ts'
import { readContents, type WholeMatch } from './match-words.ts'
import { bestPassage, toNeedles } from './passage.ts'
import type { SearchRequest } from './request.ts'

/**
 * A content of more UTF-16 units is replaced by a passage of at most `MAX_PASSAGE_CHARACTERS`: a long note costs a
 * model more than the rest of the answer.
 */
const MAX_WHOLE_CHARACTERS = 4_000
const MAX_PASSAGE_CHARACTERS = 1_200

/**
 * The matches of a page as `search` returns them, with at most `MAX_ANSWER_CHARACTERS` of content in total: long
 * contents and, if there is more, the longest of the others are replaced by the passages that match the query best. A
 * record whose id is the query stays whole and does not count.
 */
export async function toFoundRecords(
  ctx: AppContext,
  request: SearchRequest,
  { page, terms }: Matches,
): Promise<MemoryRecord[]> {
  const matches = await readContents(request, page)
  const records = matches.map(({ record }) => record)
  const authors = await authorNames(ctx, new Set(records.map(({ authorId }) => authorId)))
  const workspaces = request.workspaceId === undefined ? await readWorkspaceNames(request.project, records) : undefined
  const id = request.words?.trim().toLowerCase()
  const others = records.filter((record) => record.id !== id)
  const shorten = ({ content }: { content: string }, most: number) => bestPassage(content, most, toNeedles(terms))
  const passages = await cutLong(others, MAX_WHOLE_CHARACTERS, MAX_PASSAGE_CHARACTERS, shorten)
  const shared = await shareRoom(passages, MAX_ANSWER_CHARACTERS, shorten)
  const contents = new Map(others.map((record, at) => [record.id, { ...passages[at], ...shared[at] }]))
  return matches.map((match) => {
    const names = {
      workspace: workspaces?.get(match.record.workspaceId) ?? request.workspace,
      author: authors.get(match.record.authorId) ?? '',
    }
    return { ...toMemoryRecord(names, match), ...contents.get(match.record.id) }
  })
}

function toMemoryRecord(
  names: { workspace: string; author: string },
  { record, score, stale, conflictsWith }: WholeMatch,
): MemoryRecord {
  return {
    ...toRecordFields(record, names, { score: roundScore(score) }),
    ...(stale && { stale }),
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
    ...(conflictsWith !== undefined && { conflicts_with: conflictsWith }),
  }
}

/** To two significant digits. */
export const roundScore = (score: number): number => Number(score.toPrecision(2))
