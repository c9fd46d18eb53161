import { yieldIfDue } from '../../../cooperative.ts'
import type { RecordFilter, SavedPlace } from '../../record-lists.ts'
import { toKeyHash } from '../../save-hash.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, IS_IN_PLACE, PASSES, toFilterParams, toSourceName } from './filter.ts'

type Seq = { seq: number }
type Range = { before: number; examine: number }
type KeyPlace = Seq &
  Record<'workspace_id' | 'content_hash' | 'ranked_at' | 'fact_key_given', number> &
  Record<'audience' | 'status', string>

const BY_SOURCE = `select seq from records indexed by records_by_source_name
  where source_name = $source collate nocase and source_id is not null and forgotten_at is null and seq < $before order by seq desc limit $examine`

/** The columns of the index by fact key behind the key. Records are read in its order: in another one, each batch would have to sort all of them. */
const KEY_PLACE = 'workspace_id, audience, status, content_hash, ranked_at, fact_key_given, seq'
const BY_KEY = `select ${KEY_PLACE} from records indexed by records_by_key
  where key_hash = $keyHash and forgotten_at is null and workspace_id <= $lastWorkspace
    and (${KEY_PLACE}) > ($workspace_id, $audience, $status, $content_hash, $ranked_at, $fact_key_given, $seq) order by ${KEY_PLACE} limit $examine`

/** Records that expire within a time, if they are few enough to be looked up. */
const BY_EXPIRY = `select seq from records indexed by records_by_expiry
  where expires_at is not null and forgotten_at is null and expires_at > $after and expires_at <= $until limit $most`

const OF_WORKSPACE = `select seq from records indexed by records_by_workspace where workspace_id = $workspaceId and forgotten_at is null limit $most`

const BY_ID = 'select seq from records where id = lower(?)'

/** Whether the indexes contain a name at all. Most queries are not names, and this takes a tenth of the time of a lookup. */
const HAS_NAME = `select exists (select 1 from records indexed by records_by_key
    where workspace_id = ?1 and key_hash = ?2 and forgotten_at is null)
  or exists (select 1 from records indexed by records_by_source_name
    where source_name = ?3 collate nocase and source_id is not null and forgotten_at is null)
  or exists (select 1 from records where id = lower(?4)) as found`

const PASSING = `select record.seq, record.saved_at as savedAt from (select value from json_each($seqs)) as named
  cross join records as record on record.seq = named.value cross join records as place on place.seq = record.seq where ${IS_IN_PLACE} and ${PASSES}`

/** Records examined at once: with the longest contents some milliseconds. */
const EXAMINED_RECORDS = 256

/** Maximum number of expiring records, or of records of a workspace, that are looked up instead of scanning all records in order of their last save. */
const MAX_FEW = 2_048

const NEVER = Number.MAX_SAFE_INTEGER
const BEGINNING: KeyPlace = { workspace_id: 0, audience: '', status: '', content_hash: 0, ranked_at: 0, fact_key_given: 0, seq: 0 }

/**
 * Finds the records of a selective filter by the matching index: one that names a source, fact key or record, or restricts to a small workspace or to few
 * expiring records.
 */
export function createLookUp(client: Connection) {
  const bySource = client.statement<Seq, [Range & { source: string }]>(BY_SOURCE)
  const byKey = client.statement<KeyPlace, [KeyPlace & { keyHash: number; lastWorkspace: number; examine: number }]>(BY_KEY)
  const byId = client.statement<Seq, [string]>(BY_ID)
  const byExpiry = client.statement<Seq, [{ after: number; until: number; most: number }]>(BY_EXPIRY)
  const ofWorkspace = client.statement<Seq, [{ workspaceId: number; most: number }]>(OF_WORKSPACE)
  const hasName = client.statement<{ found: number }, [workspaceId: number, keyHash: number, source: string, id: string]>(HAS_NAME)
  const passing = client.statement<SavedPlace, [FilterParams]>(PASSING)
  const filter = (conditions: RecordFilter, seqs: number[]) => passing.all({ ...toFilterParams(conditions), seqs: JSON.stringify(seqs) })

  /** Numbers of records from the last to the first, in batches. */
  function* eachBatch(read: (range: Range) => Seq[]): Generator<number[]> {
    for (let before = NEVER; ; ) {
      const batch = read({ before, examine: EXAMINED_RECORDS }).map(({ seq }) => seq)
      yield batch
      if (batch.length < EXAMINED_RECORDS) return
      before = batch.at(-1) ?? 0
    }
  }

  /** The expiring records, or else those of a workspace, that a filter requests; undefined if it requests neither, or there are many. */
  function findFew({ expiresAfter, expiresUntil, workspaceId }: RecordFilter): number[] | undefined {
    const most = MAX_FEW + 1
    const isExpiring = expiresAfter !== undefined && expiresUntil !== undefined
    if (!isExpiring && workspaceId === undefined) return undefined
    const found = isExpiring
      ? byExpiry.all({ after: expiresAfter, until: expiresUntil, most })
      : ofWorkspace.all({ workspaceId: workspaceId ?? 0, most })
    return found.length > MAX_FEW ? undefined : found.map(({ seq }) => seq)
  }

  function* toBatches(seqs: number[]): Generator<number[]> {
    for (let at = 0; at < seqs.length; at += EXAMINED_RECORDS) yield seqs.slice(at, at + EXAMINED_RECORDS)
  }

  /** Records of a fact key in one workspace or in all, in batches. */
  function* eachOfKey(keyHash: number, workspaceId?: number): Generator<number[]> {
    const lastWorkspace = workspaceId ?? NEVER
    for (let place = { ...BEGINNING, workspace_id: workspaceId ?? 0 }; ; ) {
      const batch = byKey.all({ ...place, keyHash, lastWorkspace, examine: EXAMINED_RECORDS })
      yield batch.map(({ seq }) => seq)
      const last = batch.at(-1)
      if (last === undefined || batch.length < EXAMINED_RECORDS) return
      place = last
    }
  }

  /** Records with one of the filter's names, some of them twice; the filter is not checked yet. */
  function* eachNamed({ named, sourceId, factKey, workspaceId }: RecordFilter): Generator<number[]> {
    const source = sourceId ?? (factKey === undefined ? named : undefined)
    if (source !== undefined) yield* eachBatch((range) => bySource.all({ ...range, source: toSourceName(source) }))
    if (sourceId !== undefined) return
    if (named !== undefined) yield byId.all(named).map(({ seq }) => seq)
    yield* eachOfKey(toKeyHash(factKey ?? named ?? ''), workspaceId)
  }

  return {
    /** Those of the records with these numbers that pass. */
    filter,
    /** The passing records, as many as `first` keeps; undefined for a filter without a matching index. */
    find: async (conditions: RecordFilter, first: First): Promise<First | undefined> => {
      const { named, sourceId, factKey, workspaceId, authors } = conditions
      if (authors?.length === 0) return first
      const isNaming = named !== undefined || sourceId !== undefined || factKey !== undefined
      const few = isNaming ? undefined : findFew(conditions)
      if (!isNaming && few === undefined) return undefined
      if (named !== undefined && workspaceId !== undefined) {
        if (hasName.get(workspaceId, toKeyHash(named), toSourceName(named), named)?.found === 0) return first
      }
      for (const seqs of few === undefined ? eachNamed(conditions) : toBatches(few)) {
        await yieldIfDue()
        if (seqs.length > 0) first.add(filter(conditions, seqs))
      }
      return first
    },
  }
}

/** The first of any number of places, in an order. */
export type First = {
  /** A place that is added twice counts once. */
  add: (places: SavedPlace[]) => void
  /** The first `most` places, in order, and whether there were no others. */
  finish: () => { places: SavedPlace[]; isComplete: boolean }
}

/** Sorts whenever it has twice as many places as it keeps, so that adding takes a bounded time however many are added. */
export function createFirst(most: number, compare: (a: SavedPlace, b: SavedPlace) => number): First {
  let places: SavedPlace[] = []
  let isComplete = true
  function cut(): void {
    const sorted = places.sort(compare).filter(({ seq }, at, all) => seq !== all[at - 1]?.seq)
    isComplete &&= sorted.length <= most
    places = sorted.slice(0, most)
  }
  return {
    add: (added) => {
      places.push(...added)
      if (places.length >= 2 * most + EXAMINED_RECORDS) cut()
    },
    finish: () => {
      cut()
      return { places, isComplete }
    },
  }
}
