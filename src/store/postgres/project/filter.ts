import { and, eq, gt, gte, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { toComparableKey } from '../../../text/comparable.ts'
import type { Visible } from '../../record.ts'
import type { RecordFilter } from '../../record-lists.ts'
import { isAmong } from '../among.ts'
import { records, sources, workspaces } from '../schema/project.ts'
import { isOf, isVisible, type Scope } from './scope.ts'

/** Whether a record is stale at a time. The rule is that of `findStale` in `memory/records/freshness.ts`. */
export function isStale(scope: Scope, visible: Visible, at: number): SQL {
  const current = sql`(select ${sources.hash} from ${sources} where ${isOf(sources, scope)} and ${sources.workspaceId} = ${records.workspaceId}
    and ${sources.sourceId} = ${records.sourceId} and ${isVisible(sources.audience, visible) ?? sql`true`} order by ${sources.saveSequence} desc, ${sources.audience} desc limit 1)`
  const hasOtherHash = sql`(${records.sourceId} is not null and ${records.sourceHash} is not null and ${records.sourceHash} is distinct from ${current})`
  return sql`(${records.status} = 'superseded' or coalesce(${records.expiresAt} <= ${at}, false) or ${hasOtherHash})`
}

/** Conditions on where a record is and who sees it: one index has all that they ask for. */
export function isInPlace(scope: Scope, { visible, audienceKind, workspaceId }: RecordFilter): SQL | undefined {
  // Not by `exists`, of which PostgreSQL expects that it leaves one record: it then sorts all of them to group or list them.
  const isInRemoved = sql`${records.workspaceId} in (select id from ${workspaces} where ${isOf(workspaces, scope)} and removed_at is not null)`
  return and(
    isOf(records, scope),
    isNull(records.forgottenAt),
    isVisible(records.audience, visible),
    audienceKind && sql`left(${records.audience}, 1) = ${audienceKind}`,
    workspaceId === undefined ? not(isInRemoved) : eq(records.workspaceId, workspaceId),
  )
}

/** The other conditions of a filter. */
export function passes(scope: Scope, filter: RecordFilter): SQL | undefined {
  const {
    status,
    sourceId,
    factKey,
    named,
    authors,
    savedFrom,
    savedUntil,
    expiresAfter,
    expiresUntil,
    freshAt,
    staleAt,
    visible,
    isUnmarked,
  } = filter
  return and(
    status && eq(records.status, status),
    sourceId === undefined ? undefined : and(eq(records.sourceId, sourceId), eq(records.sourceName, toSourceName(sourceId))),
    factKey === undefined ? undefined : eq(records.comparedKey, toComparableKey(factKey)),
    named === undefined ? undefined : isNamed(named),
    authors && isAmong(records.authorId, authors),
    savedFrom === undefined ? undefined : gte(records.savedAt, savedFrom),
    savedUntil === undefined ? undefined : lte(records.savedAt, savedUntil),
    expiresAfter === undefined ? undefined : gt(records.expiresAt, expiresAfter),
    expiresUntil === undefined ? undefined : lte(records.expiresAt, expiresUntil),
    isUnmarked && eq(records.marked, false),
    freshAt === undefined ? undefined : not(isStale(scope, visible, freshAt)),
    staleAt === undefined ? undefined : isStale(scope, visible, staleAt),
  )
}

/** A record by its id, its fact key, or a source that is this text or ends with it after a slash: each by an index. */
function isNamed(text: string): SQL | undefined {
  const name = withoutLastSlash(text)
  const end = sql`lower(${sql.param(`/${name}`, records.sourceId)}::text collate "C")`
  const source = sql`('/' || lower(rtrim(${records.sourceId}, '/')))`
  const isSource = and(eq(records.sourceName, toSourceName(text)), sql`right(${source}, length(${end})) = ${end}`)
  return or(eq(records.id, toAsciiLower(text)), eq(records.comparedKey, toComparableKey(text)), isSource)
}

/** Whether a filter names records, of which an index leads to few. */
export const isNaming = ({ named, sourceId, factKey }: RecordFilter) =>
  named !== undefined || sourceId !== undefined || factKey !== undefined

/** The last part of a source between slashes, with ASCII letters in lower case. */
export const toSourceName = (source: string) => toAsciiLower(withoutLastSlash(source).split('/').at(-1) ?? '')

/** Takes time linear in the length. The pattern `/\/+$/` would be tried at each of many slashes, to the last of them. */
function withoutLastSlash(source: string): string {
  let end = source.length
  while (source[end - 1] === '/') end -= 1
  return source.slice(0, end)
}
const toAsciiLower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
