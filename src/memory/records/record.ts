import { type Static, Type } from 'typebox'
import { toIsoSecond, toIsoTime } from '../../clock.ts'
import type { StoredRecord } from '../../store/record.ts'
import { Scope, scopeOf } from '../visibility.ts'

/**
 * `unverified`: as saved; `verified`: confirmed by a person; `superseded`: replaced by a newer record of its fact key.
 */
export const Status = Type.Union([Type.Literal('unverified'), Type.Literal('verified'), Type.Literal('superseded')])
export type Status = Static<typeof Status>
export const STATUSES = Status.anyOf.map((status) => status.const)

/** Present if `content` is only a part of the record's content. */
export const IsExcerpt = Type.Optional(
  Type.Literal(true, { description: 'The content is longer, and this is a part of it' }),
)

/** The form of a record's id, in either case. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Beside a record that the guard marked, until a person verifies it. */
export const CAUTION = 'reads like an instruction'

/** A record as `search` returns it. Times are ISO 8601 in UTC. */
export const MemoryRecord = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  scope: Scope,
  content: Type.String(),
  fact_key: Type.String(),
  status: Status,
  score: Type.Number({ description: 'Relevance to the query, above 0 and at most 1; higher is better' }),
  source_id: Type.Optional(Type.String()),
  source_hash: Type.Optional(Type.String()),
  author: Type.String(),
  created_at: Type.String(),
  stale: Type.Optional(Type.Boolean()),
  superseded_by: Type.Optional(Type.String()),
  conflicts_with: Type.Optional(
    Type.Array(Type.String(), { description: 'Verified records that say something else under its fact key' }),
  ),
  expires_at: Type.Optional(Type.String()),
  caution: Type.Optional(Type.String()),
  excerpt: IsExcerpt,
})
export type MemoryRecord = Static<typeof MemoryRecord>

/** A record that an answer mentions in addition: one that was superseded, or that contradicts the saved one. */
export const NamedRecord = Type.Object({ id: Type.String(), content: Type.String(), excerpt: IsExcerpt })

/**
 * The fields of a record that every answer shows, in the order of `MemoryRecord`. `ranking` are fields to insert after
 * the status; `names` are looked up by the caller. A field without a value is omitted.
 */
export function toRecordFields<Author extends string | undefined, Ranking extends object>(
  record: StoredRecord,
  names: { workspace: string; author: Author },
  ranking: Ranking,
) {
  return {
    id: record.id,
    workspace: names.workspace,
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    ...ranking,
    ...(record.sourceId !== null && { source_id: record.sourceId }),
    ...(record.sourceHash !== null && { source_hash: record.sourceHash }),
    author: names.author,
    created_at: toIsoSecond(record.createdAt),
    ...(record.expiresAt !== null && { expires_at: toIsoTime(record.expiresAt) }),
    ...(record.marked && { caution: CAUTION }),
  }
}
