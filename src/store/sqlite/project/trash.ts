import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { TrashPlace } from '../../record.ts'
import { ROW, type Row, toRecord } from './row.ts'
import { toVisibleParams } from './select.ts'

/** By index alone: what others forgot is passed over later, where it is bounded. */
const PLACES = `select seq, forgotten_at as forgottenAt from records indexed by records_by_forgotten
  where forgotten_at is not null and (forgotten_at, seq) < (?, ?) order by forgotten_at desc, seq desc limit ?`

const NAMED = `select ${ROW} from (select key as place, value from json_each(?1)) as named cross join records on seq = named.value
  where forgotten_at is not null and (?2 is null or audience in (?2, ?3, ?4)) order by place`

const END: TrashPlace = { seq: Number.MAX_SAFE_INTEGER, forgottenAt: Number.MAX_SAFE_INTEGER }

/** What is forgotten and not erased yet. */
export function createTrash(client: Database): Pick<ProjectReads, 'listTrashSlice'> {
  const places = client.prepare<TrashPlace, [forgottenAt: number, seq: number, examine: number]>(PLACES)
  const named = client.prepare<Row, [seqs: string, ...visible: (string | null)[]]>(NAMED)
  return {
    listTrashSlice: async (visible, { before = END, examine }) => {
      const found = places.all(before.forgottenAt, before.seq, examine)
      const { v1, v2, v3 } = toVisibleParams(visible)
      const rows = named.all(JSON.stringify(found.map(({ seq }) => seq)), v1, v2, v3)
      return { records: rows.map(toRecord), next: found.length < examine ? undefined : found.at(-1) }
    },
  }
}
