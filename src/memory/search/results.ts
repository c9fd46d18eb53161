import { authorName } from '../../account/auth/author.ts'
import type { AppContext } from '../../account/context.ts'
import { MAX_ANSWER_CHARACTERS, shareRoom } from '../records/excerpt.ts'
import type { MemoryRecord } from '../records/record.ts'
import { scopeOf } from '../visibility.ts'
import type { Match, Matches } from './find-matches.ts'
import { bestPassage, toNeedles } from './passage.ts'

/**
 * Matches of one workspace as `search` returns them, with at most `MAX_ANSWER_CHARACTERS` of content in all: where there is more, the longest contents are
 * replaced by the passage that matches the query best.
 */
export async function toFoundRecords(ctx: AppContext, workspace: string, { matches, terms }: Matches): Promise<MemoryRecord[]> {
  const authors = await nameAuthors(ctx, matches)
  const contents = matches.map(({ record }) => record)
  const needles = toNeedles(terms)
  const shown = await shareRoom(contents, MAX_ANSWER_CHARACTERS, ({ content }, most) => bestPassage(content, most, needles))
  return matches.map((match, at) => ({ ...toMemoryRecord(workspace, authors, match), ...shown[at] }))
}

async function nameAuthors(ctx: AppContext, matches: Match[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { record } of matches) if (!names.has(record.authorId)) names.set(record.authorId, await authorName(ctx, record.authorId))
  return names
}

function toMemoryRecord(workspace: string, authors: Map<string, string>, { record, score, stale }: Match): MemoryRecord {
  return {
    id: record.id,
    workspace,
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    score: roundScore(score),
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    author: authors.get(record.authorId) ?? '',
    created_at: new Date(record.createdAt).toISOString(),
    stale,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
  }
}

/** To four decimal places, and never 0. */
function roundScore(score: number): number {
  return Math.max(0.0001, Math.round(score * 10_000) / 10_000)
}
