import { type Static, Type } from 'typebox'

/** Who sees a record: every caller of the project, callers of the author's department, or its author alone. */
export const Scope = Type.Union([Type.Literal('shared'), Type.Literal('department'), Type.Literal('draft')], {
  description: 'Who sees it: everyone of the project, your department, or you alone',
})
export type Scope = Static<typeof Scope>
export const SCOPES = Scope.anyOf.map(({ const: scope }) => scope)

/** As saved; confirmed by a person; or replaced by a newer record of its fact key. */
export const Status = Type.Union([Type.Literal('unverified'), Type.Literal('verified'), Type.Literal('superseded')])
export type Status = Static<typeof Status>
export const STATUSES = Status.anyOf.map(({ const: status }) => status)

/** Stands where `content` is a part of what is kept. */
const Excerpt = Type.Optional(Type.Literal(true, { description: 'The content is longer, and this is a part of it' }))

/** A record as `search` returns it. Times are ISO 8601 in UTC. */
export const MemoryRecord = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  scope: Scope,
  content: Type.String(),
  fact_key: Type.String(),
  status: Status,
  score: Type.Number({ description: 'Relevance to the query, above 0 and at most 1; higher is better' }),
  source_id: Type.Union([Type.String(), Type.Null()]),
  source_hash: Type.Union([Type.String(), Type.Null()]),
  author: Type.String(),
  created_at: Type.String(),
  stale: Type.Boolean(),
  superseded_by: Type.Optional(Type.String()),
  excerpt: Excerpt,
})
export type MemoryRecord = Static<typeof MemoryRecord>

/** A record named beside another one: what was superseded, or what speaks against it. */
export const Named = Type.Object({ id: Type.String(), content: Type.String(), excerpt: Excerpt })

export { Excerpt }
