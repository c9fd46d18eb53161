import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'

export const ForgetArguments = Type.Object(
  { id: Type.Optional(Type.String()), source_id: Type.Optional(Type.String()), workspace: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

export const Forgotten = Type.Object({ forgotten: Type.Integer(), ids: Type.Array(Type.String()) })

/** Softly deletes one record, or all records of a source, that the caller may see. */
export async function forgetRecords(
  _means: Means,
  _caller: Caller,
  _args: Static<typeof ForgetArguments>,
): Promise<Static<typeof Forgotten>> {
  throw new Error('not here')
}
