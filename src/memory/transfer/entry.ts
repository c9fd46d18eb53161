import { type Static, Type } from 'typebox'
import type { AppContext } from '../../account/context.ts'
import { argumentsCheck } from '../../arguments.ts'
import { toIsoTime } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { Params } from '../../jsonrpc.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import { phrasesOf, type SourceState, type StoredRecord } from '../../store/record.ts'
import { toComparableContent, toComparableKey } from '../../text/comparable.ts'
import { Status, UUID } from '../records/record.ts'
import { type Draft, RememberArguments, toDraft } from '../records/save/draft.ts'
import { readTime } from '../records/text-argument.ts'
import { departmentOf, type Principal, scopeOf } from '../visibility.ts'
import type { Section } from './sections.ts'

/** The last time that a `Date` can hold. */
const MAX_TIME_MS = 8.64e15

/** A record as a line of an export has it: the arguments of `remember`, and the other properties of the record. */
export const Entry = Type.Object(
  {
    ...RememberArguments.properties,
    asked_as: Type.Optional(Type.Array(Type.String(), { description: 'Phrases that it is asked for with, up to 12' })),
    id: Type.Optional(Type.String()),
    status: Type.Optional(Status),
    superseded_by: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    author: Type.Optional(Type.String({ description: 'Name, for people to read' })),
    author_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    department: Type.Optional(Type.String({ description: 'Id or name; whose record of scope department it is' })),
    created_at: Type.Optional(Type.String({ description: 'ISO 8601 time' })),
    verified_at: Type.Optional(Type.String({ description: 'ISO 8601 time; kept while the record is superseded' })),
    refreshed_at: Type.Optional(
      Type.String({ description: 'ISO 8601 time of the last save that made no other record' }),
    ),
    source_current_hash: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: "The hash last saved for the record's source" }),
    ),
    source_save_sequence: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TIME_MS,
        description: 'When that was, in milliseconds since 1970; of two such saves the later has the larger one',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Entry = Static<typeof Entry>

/**
 * A line or note to import: its place for messages, and its entries, of a note with the section of each, or the reason
 * why it is refused.
 */
export type Item = { where: string; entries: Entry[]; sections?: Section[] } | { where: string; refused: string }

const checkArguments = argumentsCheck(Entry)

/**
 * Reads an entry from a JSON object. A field that is null counts as omitted.
 *
 * @throws Refusal that says what is wrong.
 */
export function readEntry(value: Params): Entry {
  const given = Object.fromEntries(Object.entries(value).filter(([, part]) => (part ?? null) !== null))
  checkArguments(given)
  const entry = given as Entry
  const { id, status, superseded_by: by } = entry
  if (id !== undefined && !UUID.test(id)) throw new Refusal('id must be a UUID')
  if (by !== undefined && status !== 'superseded') throw new Refusal("superseded_by needs status 'superseded'")
  if (entry.verified_at !== undefined && status !== 'verified' && status !== 'superseded')
    throw new Refusal("verified_at needs status 'verified' or 'superseded'")
  if (status === 'superseded' && id === undefined) throw new Refusal("status 'superseded' needs the record's id")
  if (entry.department !== undefined && entry.scope !== 'department')
    throw new Refusal("department needs scope 'department'")
  return entry
}

/** What an entry has that is not stored in the record itself. */
type EntryNames = { workspace: string; author: string; source: SourceState | undefined }

/** The entry of a record. Omits fields without a value, and a derived fact key, which an import derives again. */
export function toEntry(record: StoredRecord, { workspace, author, source }: EntryNames): Entry {
  const department = departmentOf(record.audience)
  return {
    content: record.content,
    ...(record.factKeyGiven && { fact_key: record.factKey }),
    ...(record.askedAs !== null && { asked_as: phrasesOf(record) }),
    workspace,
    scope: scopeOf(record.audience),
    ...(record.sourceId !== null && { source_id: record.sourceId }),
    ...(record.sourceHash !== null && { source_hash: record.sourceHash }),
    ...(record.expiresAt !== null && { expires_at: toIsoTime(record.expiresAt) }),
    id: record.id,
    status: record.status,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
    author,
    author_id: record.authorId,
    ...(department !== undefined && { department }),
    created_at: toIsoTime(record.createdAt),
    ...(record.refreshedAt !== null && { refreshed_at: toIsoTime(record.refreshedAt) }),
    ...(record.verifiedAt !== null && { verified_at: toIsoTime(record.verifiedAt) }),
    ...(source !== undefined && { source_current_hash: source.hash, source_save_sequence: source.saveSequence }),
  }
}

/**
 * A record to import. With an id (`hasId`) it was exported from a project, and keeps its id, status and times; without
 * one it is saved as `remember` would. `supersededBy` is the id of what superseded it there, and `source` the state
 * that its source had.
 */
export type IncomingRecord = {
  draft: Draft
  hasId: boolean
  supersededBy: string | null
  source: SourceState | undefined
}

/**
 * Converts an entry to a record, by the rules of `remember`.
 *
 * @throws Refusal for an entry that cannot be saved.
 */
export async function toIncoming(
  ctx: Pick<AppContext, 'random' | 'clock'>,
  author: Principal,
  entry: Entry,
): Promise<IncomingRecord> {
  const { id, status = 'unverified', superseded_by: supersededBy, created_at: createdAt } = entry
  const savedAt = createdAt === undefined ? ctx.clock.now() : readTime('created_at', createdAt)
  // Ids begin with their time, which cannot be negative.
  if (savedAt < 0) throw new Refusal('created_at must not be before 1970')
  const draft = await toDraft(ctx, author, entry, savedAt)
  const {
    source_current_hash: hash,
    source_save_sequence: saveSequence,
    refreshed_at: refreshed,
    verified_at: verified,
  } = entry
  const refreshedAt = refreshed === undefined ? null : readTime('refreshed_at', refreshed)
  const unknown = status === 'verified' ? savedAt : null
  const verifiedAt = verified === undefined ? unknown : readTime('verified_at', verified)
  return {
    draft: {
      ...draft,
      id: id?.toLowerCase() ?? draft.id,
      status,
      refreshedAt,
      verifiedAt,
    },
    hasId: id !== undefined,
    supersededBy: supersededBy?.toLowerCase() ?? null,
    source: hash === undefined || saveSequence === undefined ? undefined : { hash, saveSequence },
  }
}

/**
 * Digest of what identifies a record: of two with the same one, the second would not be saved beside the first. Half of
 * a SHA-256, since an import keeps many.
 */
export function toIdentity({ hasId, draft }: IncomingRecord): string {
  const { id, workspace, audience, authorId, factKey, factKeyGiven, sourceId, content } = draft
  const key = factKeyGiven ? toComparableKey(factKey) : null
  const parts = hasId ? [id] : [workspace, audience, key, sourceId ?? { authorId }, toComparableContent(content)]
  return sha256Hex(JSON.stringify(parts)).slice(0, 32)
}
