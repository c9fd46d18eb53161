import { type Static, Type } from 'typebox'
import { FORMER_MEMBER, OPERATOR } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { DAY_MS, SECOND_MS } from '../../../clock.ts'
import { Refusal } from '../../../errors.ts'
import type { Visible } from '../../../store/record.ts'
import type { AudienceKind, RecordFilter } from '../../../store/record-lists.ts'
import { Scope } from '../../visibility.ts'
import { Status } from '../record.ts'
import { readTime } from '../text-argument.ts'

/** Arguments that narrow a search or a list of records, as every surface takes them. */
export const FilterArguments = {
  scope: Type.Optional(Scope),
  exclude_stale: Type.Optional(Type.Boolean()),
  source_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  fact_key: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  author: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'As results show it' })),
  status: Type.Optional(Status),
  since: Type.Optional(Type.String({ description: 'Saved then or later; ISO 8601' })),
  until: Type.Optional(Type.String({ description: 'Saved then or earlier; a date includes its day' })),
}
const Arguments = Type.Object(FilterArguments)
type SharedArguments = { [Name in keyof Static<typeof Arguments>]?: Static<typeof Arguments>[Name] | undefined }
/**
 * `only_stale` and `expires_within_ms` are for the lists of the console and the command line, `exclude_marked` is for
 * what sessions are told unasked.
 */
export type FilterArguments = SharedArguments & {
  only_stale?: boolean | undefined
  expires_within_ms?: number | undefined
  exclude_marked?: boolean | undefined
}

/** A project as somebody sees it; without `visible` all records, as the operator does. */
export type Viewer = { accountId: string; projectId: string; visible: Visible }

const KINDS: Record<Scope, AudienceKind> = { shared: '*', department: 'd', draft: 'a' }
const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * Converts arguments to the store's filter. The name of an unknown author matches no record.
 *
 * @throws Refusal for an invalid time, and for a `since` after `until`.
 */
export async function toRecordFilter(
  ctx: AppContext,
  { accountId, visible }: Viewer,
  args: FilterArguments,
): Promise<RecordFilter> {
  const { scope, author, since, until } = args
  const now = ctx.clock.now()
  const savedFrom = since === undefined ? undefined : readTime('since', since)
  const savedUntil = until === undefined ? undefined : readEnd('until', until)
  if (savedFrom !== undefined && savedUntil !== undefined && savedFrom > savedUntil)
    throw new Refusal('since must not be after until', 'since')
  return {
    visible,
    audienceKind: scope && KINDS[scope],
    status: args.status,
    sourceId: args.source_id,
    factKey: args.fact_key,
    authors: author === undefined ? undefined : await findAuthorIds(ctx, accountId, author),
    savedFrom,
    savedUntil,
    freshAt: args.exclude_stale ? now : undefined,
    staleAt: args.only_stale ? now : undefined,
    isUnmarked: args.exclude_marked ? true : undefined,
    expiresAfter: args.expires_within_ms === undefined ? undefined : now,
    expiresUntil: args.expires_within_ms === undefined ? undefined : now + args.expires_within_ms,
  }
}

/**
 * The last millisecond of a day, or of a second without a fraction, as results show times; otherwise the time itself.
 * Throws as `readTime`.
 */
export function readEnd(name: string, text: string): number {
  const time = readTime(name, text)
  if (DATE.test(text)) return time + DAY_MS - 1
  return text.includes('.') ? time : time + SECOND_MS - 1
}

/**
 * Ids of all authors with this name, or whom results show by it: removed members have both their own and `former
 * member`.
 */
export async function findAuthorIds(
  { store: { control } }: AppContext,
  accountId: string,
  name: string,
): Promise<string[]> {
  const named = await control.findAuthorsNamed(accountId, name)
  const shown = name.toLowerCase()
  const former =
    shown === FORMER_MEMBER
      ? (await control.list('members', { accountId })).filter(({ removedAt }) => removedAt !== null)
      : []
  return [...named, ...former].map(({ id }) => id).concat(shown === OPERATOR ? OPERATOR : [])
}
