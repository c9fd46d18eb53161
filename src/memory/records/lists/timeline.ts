import { authorNames, type Caller } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { toIsoTime } from '../../../clock.ts'
import type { StoredAuditEntry } from '../../../store/audit.ts'
import type { StoredRecord } from '../../../store/record.ts'
import { type DiffPart, diffWords } from '../../../text/word-diff.ts'
import { listVersions } from './versions.ts'

/** What happened to a version of a fact. */
export type TimelineKind =
  | 'saved'
  | 'saved again'
  | 'verified'
  | 'unverified'
  | 'forgotten'
  | 'left'
  | 'restored'
  | 'moved'
  | 'expired'

/** An event in the history of a fact. */
export type TimelineEvent = {
  /** Milliseconds since 1970. */
  at: number
  kind: TimelineKind
  version: StoredRecord
  /** The name of the person or key that did it; undefined if nobody did, or it is no longer known. */
  who: string | undefined
  /** The versions that it superseded, except the one that `diff` compares it with. */
  superseded: StoredRecord[]
  /**
   * For a saved version, its differences in words from the previous version; undefined for the first version, for
   * versions that have little in common, and for older versions of long texts.
   */
  diff: DiffPart[] | undefined
}

/** The history of a fact, newest first; `areMore`: older versions are left out. */
export type Timeline = { events: TimelineEvent[]; areMore: boolean }

/** Maximum number of audit events read about the versions of a fact, and of events about many records at once. */
const MAX_ACTS = 200

const KINDS: Record<string, TimelineKind> = {
  'record.verify': 'verified',
  'record.unverify': 'unverified',
  'record.forget': 'forgotten',
  'record.leave': 'left',
  'record.restore': 'restored',
  'record.move': 'moved',
  'record.return': 'moved',
}

/**
 * The history of a fact, given a record of it that the caller may see: when and by whom each version was saved,
 * verified, forgotten and so on. It is compiled from the stored records, those in the trash included, and the audit
 * log. All versions have the audience of the record. Of operations on more than 50 records at once, which the log does
 * not name one by one, only verifying and forgetting appear, because the record has their time.
 */
export async function readTimeline(ctx: AppContext, caller: Caller, record: StoredRecord): Promise<Timeline> {
  const { versions, areMore } = await listVersions(ctx.store.project(caller.projectId), record)
  const acts = await readActs(ctx, caller.projectId, versions)
  const names = await authorNames(
    ctx,
    new Set([...versions.map(({ authorId }) => authorId), ...acts.map(({ actor }) => toAuthorId(actor))]),
  )
  const events = [
    ...(await toSaves(versions, acts, (id) => names.get(id))),
    ...versions.flatMap((version) => toUnlogged(version, acts, ctx.clock.now())),
    ...acts.flatMap((act) => toEvents(act, versions, names)),
  ]
  // Of events at the same time, the save comes first.
  return { events: events.reverse().sort((a, b) => b.at - a.at || b.version.seq - a.version.seq), areMore }
}

type Act = Pick<StoredAuditEntry, 'at' | 'act' | 'actor' | 'details'> & { ids: string[] }

/**
 * The audit events about the versions. An event about many records concerns the versions that have the time in its
 * details.
 */
async function readActs(
  { store: { control } }: AppContext,
  projectId: string,
  versions: StoredRecord[],
): Promise<Act[]> {
  const ids = versions.map(({ id }) => id)
  const sources = versions.map(({ sourceId }) => sourceId).filter((source) => source !== null)
  const named = await control.listRecordActs({
    projectId,
    targets: [...new Set([...ids, ...sources])],
    limit: MAX_ACTS,
  })
  const ofMany = await control.listRecordActs({ projectId, targets: null, limit: MAX_ACTS })
  return [...named, ...ofMany]
    .filter(({ outcome }) => outcome === 'done')
    .map((entry) => ({ ...entry, ids: toIds(entry, versions) }))
    .filter((act) => act.ids.length > 0)
}

function toIds({ target, details }: StoredAuditEntry, versions: StoredRecord[]): string[] {
  const { verified_at: verifiedAt, forgotten_at: forgottenAt, ids } = details
  if (ids !== undefined) return versions.map(({ id }) => id).filter((id) => idsIn(ids).includes(id))
  if (verifiedAt === undefined && forgottenAt === undefined)
    return versions.flatMap(({ id }) => (id === target ? id : []))
  const isAt = (time: number | null, noted: typeof verifiedAt) => time !== null && toIsoTime(time) === noted
  return versions
    .filter((version) => isAt(version.verifiedAt, verifiedAt) || isAt(version.forgottenAt, forgottenAt))
    .map(({ id }) => id)
}

function toEvents(
  { at, act, actor, details, ids }: Act,
  versions: StoredRecord[],
  names: Map<string, string>,
): TimelineEvent[] {
  const kind = KINDS[act]
  if (kind === undefined) return []
  const superseded = idsIn(details.superseded)
  return versions
    .filter(({ id }) => ids.includes(id))
    .map((version) => ({
      at,
      kind,
      version,
      who: names.get(toAuthorId(actor)),
      superseded: versions.filter(({ id }) => superseded.includes(id)),
      diff: undefined,
    }))
}

/** The author id of an actor in the log, which is `member:<id>`, `key:<id>` or an id by itself. */
export const toAuthorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

const idsIn = (details: StoredAuditEntry['details'][string] | undefined): string[] =>
  typeof details === 'string' ? details.split(' ') : []

/**
 * When each version was saved and what it superseded then: the versions that name it as superseder, except those a
 * logged event superseded later.
 */
async function toSaves(
  versions: StoredRecord[],
  acts: Act[],
  nameOf: (authorId: string) => string | undefined,
): Promise<TimelineEvent[]> {
  const later = new Set(acts.flatMap(({ details }) => idsIn(details.superseded)))
  const events: TimelineEvent[] = []
  let left = MAX_DIFFED_CHARACTERS
  // Newest first, so that the newest versions use the budget for long texts.
  for (const [at, version] of [...versions.entries()].reverse()) {
    const before = versions[at - 1]
    left -= version.content.length
    const diff = before && left >= 0 ? await diffWords(before.content, version.content) : undefined
    const isShown = (other: StoredRecord) => diff !== undefined && other.id === before?.id
    events.push({
      at: version.createdAt,
      kind: 'saved',
      version,
      who: nameOf(version.authorId),
      superseded: versions.filter(
        (other) => other.supersededBy === version.id && !later.has(other.id) && !isShown(other),
      ),
      diff,
    })
  }
  return events.reverse()
}

/**
 * Total UTF-16 code units of versions whose words are compared; comparing twenty versions of the largest size would
 * take 0.25 s.
 */
const MAX_DIFFED_CHARACTERS = 131_072

/**
 * Events that follow from the version itself: its last refresh, its expiry, and what the log does not have, or no
 * longer has.
 */
function toUnlogged(version: StoredRecord, acts: Act[], now: number): TimelineEvent[] {
  const { refreshedAt, verifiedAt, forgottenAt, expiresAt } = version
  const isLogged = (act: string) => acts.some((one) => one.act === act && one.ids.includes(version.id))
  const toEvent = (kind: TimelineKind, at: number | null): TimelineEvent[] =>
    at === null || at > now ? [] : [{ at, kind, version, who: undefined, superseded: [], diff: undefined }]
  return [
    ...toEvent('saved again', refreshedAt),
    ...toEvent('expired', expiresAt),
    ...(isLogged('record.verify') ? [] : toEvent('verified', verifiedAt)),
    ...(isLogged('record.forget') ? [] : toEvent('forgotten', forgottenAt)),
  ]
}
