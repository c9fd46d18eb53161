import { authorName } from '../../account/auth/author.ts'
import type { AppContext } from '../../account/context.ts'
import { MAX_ANSWER_CHARACTERS, shareRoom } from '../records/excerpt.ts'
import type { MemoryRecord } from '../records/record.ts'
import { scopeOf } from '../visibility.ts'
import type { Answer, Found } from './find-matches.ts'
import { bestPassage, toNeedles } from './passage.ts'

/**
 * Records as `search` returns them, of one workspace, with at most `MAX_ANSWER_CHARACTERS` of content in all: beyond that the longest give way to the
 * passage that matches the query's terms best.
 */
export async function toFoundRecords(ctx: AppContext, workspace: string, { found, terms }: Answer): Promise<MemoryRecord[]> {
  const authors = await nameAuthors(ctx, found)
  const contents = found.map(({ record }) => record)
  const needles = toNeedles(terms)
  const shown = await shareRoom(contents, MAX_ANSWER_CHARACTERS, ({ content }, most) => bestPassage(content, most, needles))
  return found.map((match, at) => ({ ...toFound(workspace, authors, match), ...shown[at] }))
}

async function nameAuthors(ctx: AppContext, found: Found[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { record } of found) if (!names.has(record.authorId)) names.set(record.authorId, await authorName(ctx, record.authorId))
  return names
}

function toFound(workspace: string, authors: Map<string, string>, { record, score, stale }: Found): MemoryRecord {
  return {
    id: record.id,
    workspace,
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    score: toShownScore(score),
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    author: authors.get(record.authorId) ?? '',
    created_at: new Date(record.createdAt).toISOString(),
    stale,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
  }
}

/** Four digits, and never nothing. */
function toShownScore(score: number): number {
  return Math.max(0.0001, Math.round(score * 10_000) / 10_000)
}
