import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { Named, Scope, Status } from './record.ts'

export const RememberArguments = Type.Object(
  {
    content: Type.String({ description: 'The fact, decision or note, in one or a few sentences' }),
    fact_key: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    workspace: Type.Optional(Type.String()),
    scope: Type.Optional(Scope),
    source_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    source_hash: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    expires_at: Type.Optional(Type.String({ description: 'ISO 8601 time' })),
  },
  { additionalProperties: false },
)

export const Remembered = Type.Object({
  id: Type.String(),
  workspace: Type.String(),
  scope: Scope,
  fact_key: Type.String(),
  status: Status,
  source_id: Type.Union([Type.String(), Type.Null()]),
  source_hash: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  created: Type.Boolean(),
  superseded: Type.Array(Named),
  conflicts_with: Type.Array(Named),
})

/** Saves one record for the caller. */
export async function rememberRecord(
  _means: Means,
  _caller: Caller,
  _args: Static<typeof RememberArguments>,
): Promise<Static<typeof Remembered>> {
  throw new Error('not here')
}
