import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { MAX_ANSWER_CHARACTERS, shareRoom } from '../records/excerpt.ts'
import { readWorkspaceNames } from '../records/lists/shown-record.ts'
import { type MemoryRecord, toRecordFields } from '../records/record.ts'
import type { Matches } from './find-matches.ts'
import { readContents, type WholeMatch } from './match.ts'
import { bestPassage, toNeedles } from './passage.ts'
import type { SearchRequest } from './request.ts'

/**
 * The matches of a page as `search` returns them, with at most `MAX_ANSWER_CHARACTERS` of content in total: if there is more, the longest contents are
 * replaced by the passages that match the query best. A record whose id is the query stays whole and does not count.
 */
export async function toFoundRecords(ctx: AppContext, request: SearchRequest, { page, terms }: Matches): Promise<MemoryRecord[]> {
  const matches = await readContents(request, page)
  const records = matches.map(({ record }) => record)
  const authors = await authorNames(ctx, new Set(records.map(({ authorId }) => authorId)))
  const workspaces = request.workspaceId === undefined ? await readWorkspaceNames(request.project, records) : undefined
  const id = request.words?.trim().toLowerCase()
  const others = records.filter((record) => record.id !== id)
  const shown = await shareRoom(others, MAX_ANSWER_CHARACTERS, ({ content }, most) => bestPassage(content, most, toNeedles(terms)))
  const contents = new Map(others.map((record, at) => [record.id, shown[at]]))
  return matches.map((match) => {
    const names = {
      workspace: workspaces?.get(match.record.workspaceId) ?? request.workspace,
      author: authors.get(match.record.authorId) ?? '',
    }
    return { ...toMemoryRecord(names, match), ...contents.get(match.record.id) }
  })
}

function toMemoryRecord(names: { workspace: string; author: string }, { record, score, stale, conflictsWith }: WholeMatch): MemoryRecord {
  return {
    ...toRecordFields(record, names, { score: roundScore(score) }),
    stale,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
    ...(conflictsWith !== undefined && { conflicts_with: conflictsWith }),
  }
}

/** To four decimal places, and never 0. */
function roundScore(score: number): number {
  return Math.max(0.0001, Math.round(score * 10_000) / 10_000)
}
