import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Conflict, CurrentStatus } from '../../record.ts'

/** Verified records of a slice: few records are verified, and an index leads to them. */
const VERIFIED = `select seq, fact_key_given as given, audience from (
    select seq as named from records indexed by records_by_status
      where status = 'verified' and status <> 'unverified' and forgotten_at is null and seq < ? order by seq desc limit ?
  ) cross join records on seq = named`

/** Rivals of one verified record, `?2` at most of each kind, by index alone: however many say the same, none of them is looked at. */
const others = (side: '<' | '>', status: CurrentStatus) => `select other.seq as other from records as verified
  join records as other indexed by records_current_by_fact_key
    on other.workspace_id = verified.workspace_id and other.fact_key = verified.fact_key and other.audience = verified.audience
    and other.status = '${status}' and other.content_hash ${side} verified.content_hash
    and other.fact_key_given = 1 and other.forgotten_at is null and other.status <> 'superseded'
  where verified.seq = ?1 limit ?2`

/** Rivals of one verified record that are looked for. Without imports and restores there are at most two. */
const MAX_OTHERS = 20

type Verified = { seq: number; given: number; audience: string }

/** What is verified and spoken against. */
export function createConflicts(client: Database): Pick<ProjectReads, 'listConflictsSlice'> {
  const verified = client.prepare<Verified, [beforeSeq: number, examine: number]>(VERIFIED)
  const prepare = (side: '<' | '>', status: CurrentStatus) =>
    client.prepare<{ other: number }, [seq: number, limit: number]>(others(side, status))
  const unverified = [prepare('<', 'unverified'), prepare('>', 'unverified')]
  const confirmed = [prepare('<', 'verified'), prepare('>', 'verified')]
  const find = (statements: typeof confirmed, seq: number) =>
    statements.flatMap((side) => side.all(seq, MAX_OTHERS)).map(({ other }) => other)
  /** Of two verified records the older has the pair. */
  const conflictsOf = (seq: number) => [...find(unverified, seq), ...find(confirmed, seq).filter((other) => other > seq)]
  return {
    listConflictsSlice: async ({ visible, beforeSeq, examine }) => {
      const rows = verified.all(beforeSeq ?? Number.MAX_SAFE_INTEGER, examine)
      const seen = rows.filter(({ given, audience }) => given === 1 && (visible?.includes(audience) ?? true))
      const conflicts = seen.flatMap(({ seq }): Conflict[] => conflictsOf(seq).map((other) => ({ verified: seq, other })))
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
