import { type Static, Type } from 'typebox'
import { argumentsCheck } from '../../arguments.ts'
import { Refusal } from '../../errors.ts'
import type { Params } from '../../jsonrpc.ts'
import { Status } from '../records/record.ts'
import { RememberArguments } from '../records/remember.ts'

/** One record as a line holds it: `remember`'s arguments, and what an export adds. */
export const Entry = Type.Object(
  {
    ...RememberArguments.properties,
    id: Type.Optional(Type.String()),
    status: Type.Optional(Status),
    superseded_by: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    author: Type.Optional(Type.String({ description: 'Name, for people to read' })),
    author_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    department: Type.Optional(Type.String({ description: 'Id or name; whose record of scope department it is' })),
    created_at: Type.Optional(Type.String({ description: 'ISO 8601 time' })),
    source_current_hash: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: "The hash last saved for the record's source" }),
    ),
    source_turn: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e12, description: 'Which of all such saves that was' })),
  },
  { additionalProperties: false },
)
export type Entry = Static<typeof Entry>

const checkArguments = argumentsCheck(Entry)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The record that a line's value is; null stands for what is left out. Throws a Refusal that names what is wrong. */
export function readEntry(value: Params): Entry {
  const given = Object.fromEntries(Object.entries(value).filter(([, part]) => (part ?? null) !== null))
  checkArguments(given)
  const entry = given as Entry
  const { id, status, superseded_by: by } = entry
  if (id !== undefined && !UUID.test(id)) throw new Refusal('id must be a UUID')
  if (by !== undefined && status !== 'superseded') throw new Refusal("superseded_by needs status 'superseded'")
  if (status === 'superseded' && id === undefined) throw new Refusal("status 'superseded' needs the record's id")
  if (entry.department !== undefined && entry.scope !== 'department') throw new Refusal("department needs scope 'department'")
  return entry
}
