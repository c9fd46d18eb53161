import type { Source } from '../../record.ts'
import { toAsciiLower } from './filter.ts'
import {
  type Params,
  type Place,
  type ProjectSql,
  type ProjectTables,
  toPage,
  toRangeParams,
  toRanges,
  unionOf,
} from './sql.ts'

/** Entries that are counted at once, which takes some milliseconds. */
export const EXAMINED_ENTRIES = 8_192
/** Names of sources that are read at once, which takes as long. */
const EXAMINED_NAMES = 4_096
const PLACE = ['workspace_id', 'source_id', 'audience']

/** Records of one source, as far as a part of the index has them. */
type Group = Source & { records: number }

const BEGINNING: Source = { workspaceId: 0, sourceId: '' }
/** Behind every audience. */
const LAST_AUDIENCE = '~'
const MAX_WORKSPACE = 2 ** 31 - 2

/** The index of records by source, read part by part. `entries` is a from clause of the whole index. */
export function createSourceIndex({ all, own, by, rows, inTurn }: ProjectSql, records: ProjectTables['records']) {
  const columns = { sourceId: records.sourceId }
  const places = { source_id: records.sourceId }
  const entries = `records ${by('records_by_source')} where ${own()} and source_id is not null and forgotten_at is null`
  const ahead = toPage(`from ${entries} and workspace_id < $behind`, [...PLACE, 'seq'].join(', '), PLACE)
  const findEnd = `select * from ${ahead} as page limit 1 offset $examine - 1`

  /**
   * Counts, part by part of the index, the records after the source `from` up to the workspace `lastWorkspace`. `toCount`
   * makes the statement that counts the entries of one part, which it is given as a from clause with conditions.
   */
  async function* eachGroup(
    toCount: (part: string) => string,
    given: Params,
    from = BEGINNING,
    lastWorkspace = MAX_WORKSPACE,
  ): AsyncGenerator<Group> {
    const behind = lastWorkspace + 1
    const read = inTurn(async (place: Place) => {
      const [next] = await all<Place>(findEnd, { behind, examine: EXAMINED_ENTRIES, ...place }, places)
      const end = next ?? { workspace_id: behind, source_id: '', audience: '', seq: 0 }
      const lists = toRanges(PLACE, place, end).map((range) => toCount(`${entries} and ${range}`))
      const text = `select * from (${unionOf(lists)}) as counted order by "workspaceId", "sourceId"`
      return { groups: await all<Group>(text, { ...given, ...toRangeParams(place, end) }, columns), next }
    })
    let place: Place = { workspace_id: from.workspaceId, source_id: from.sourceId, audience: LAST_AUDIENCE, seq: 0 }
    for (;;) {
      const { groups, next } = await read(place)
      yield* groups
      if (next === undefined) return
      place = next
    }
  }

  const inWorkspace = `from ${entries} and workspace_id = named."workspaceId" and source_id > named."sourceId"`
  const named = `with recursive named as (
      select wanted."workspaceId", wanted."sourceId", 0 as step from ${rows('wanted', { workspaceId: records.workspaceId, sourceId: records.sourceId })}
      union all select "workspaceId", (select min(source_id) ${inWorkspace}), step + 1 from named
        where "sourceId" is not null and step < $steps
    ) select "workspaceId", "sourceId", step from named where "sourceId" is not null and step > 0
      and (step = $steps or replace(lower("sourceId"), $part, '') <> lower("sourceId"))`
  /** Of the next sources of each workspace those whose names have the part, and the last one of so many steps. */
  const readNamed = inTurn((wanted: Source[], part: string, steps: number) =>
    all<Source & { step: number }>(named, { wanted, part, steps }, columns),
  )

  /**
   * The sources whose names contain a text, in each of some workspaces after a given source; also those whose records a
   * caller may not see. Steps through the index from name to name: takes time linear in the number of sources, however
   * many records each has.
   */
  async function findNamed(from: Source[], text: string): Promise<Source[]> {
    const part = toAsciiLower(text)
    const found: Source[] = []
    for (let left = from; left.length > 0; ) {
      const steps = Math.max(1, Math.floor(EXAMINED_NAMES / left.length))
      const read = await readNamed(left, part, steps)
      for (const { workspaceId, sourceId } of read)
        if (toAsciiLower(sourceId).includes(part)) found.push({ workspaceId, sourceId })
      left = read.filter(({ step }) => step === steps)
    }
    return found
  }

  return { entries, eachGroup, findNamed }
}
