import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { MAX_ANSWER_CHARACTERS, shareRoom } from '../records/excerpt.ts'
import { type MemoryRecord, toRecordFields } from '../records/record.ts'
import type { Match, Matches } from './find-matches.ts'
import { bestPassage, toNeedles } from './passage.ts'

/**
 * Matches of one workspace as `search` returns them, with at most `MAX_ANSWER_CHARACTERS` of content in all: where there is more, the longest contents are
 * replaced by the passage that matches the query best.
 */
export async function toFoundRecords(ctx: AppContext, workspace: string, { matches, terms }: Matches): Promise<MemoryRecord[]> {
  const authors = await authorNames(ctx, new Set(matches.map(({ record }) => record.authorId)))
  const contents = matches.map(({ record }) => record)
  const needles = toNeedles(terms)
  const shown = await shareRoom(contents, MAX_ANSWER_CHARACTERS, ({ content }, most) => bestPassage(content, most, needles))
  return matches.map((match, at) => ({ ...toMemoryRecord(workspace, authors, match), ...shown[at] }))
}

function toMemoryRecord(workspace: string, authors: Map<string, string>, { record, score, stale }: Match): MemoryRecord {
  const names = { workspace, author: authors.get(record.authorId) ?? '' }
  return {
    ...toRecordFields(record, names, { score: roundScore(score) }),
    stale,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
  }
}

/** To four decimal places, and never 0. */
function roundScore(score: number): number {
  return Math.max(0.0001, Math.round(score * 10_000) / 10_000)
}
