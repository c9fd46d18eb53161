import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { MemoryRecord, Scope } from './record.ts'

export const SearchArguments = Type.Object(
  {
    query: Type.String(),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    workspace: Type.Optional(Type.String()),
    scope: Type.Optional(Scope),
    exclude_stale: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export const Found = Type.Array(MemoryRecord)

/** What was searched and what was left out; beside an empty result. */
export const Hint = Type.Object({
  workspace: Type.String(),
  words: Type.Array(Type.String()),
  left_out: Type.Object({ stale: Type.Integer(), other_scope: Type.Integer() }),
  advice: Type.String(),
})

/** Finds the caller's records that match the query, best first. `hint` only when nothing was found. */
export async function searchMemory(
  _means: Means,
  _caller: Caller,
  _args: Static<typeof SearchArguments>,
): Promise<{ result: MemoryRecord[]; hint?: Static<typeof Hint> }> {
  throw new Error('not here')
}
