import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'

export const ValidateArguments = Type.Object(
  { source_id: Type.String(), source_hash: Type.Optional(Type.String()), workspace: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

export const Freshness = Type.Union([Type.Literal('fresh'), Type.Literal('stale'), Type.Literal('unknown')])

export const Validated = Type.Object({
  source_id: Type.String(),
  current_hash: Type.Union([Type.String(), Type.Null()]),
  fresh: Type.Integer(),
  stale: Type.Integer(),
  unknown: Type.Integer(),
  records: Type.Array(
    Type.Object({
      id: Type.String(),
      fact_key: Type.String(),
      content: Type.String(),
      source_hash: Type.Union([Type.String(), Type.Null()]),
      freshness: Freshness,
    }),
  ),
})

/** Compares the records of one source with its current hash. Changes nothing. */
export async function validateSource(
  _means: Means,
  _caller: Caller,
  _args: Static<typeof ValidateArguments>,
): Promise<Static<typeof Validated>> {
  throw new Error('not here')
}
