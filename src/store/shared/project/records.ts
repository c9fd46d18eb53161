import type { RecordHead, StoredRecord, Visible } from '../../record.ts'
import type { Excerpt, OfSourcePlace, Selection, SupersededPlace, TrashPlace } from '../../record-lists.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { isVisible, MAX_SEQ, type ProjectSql, toPage, toRemovedWorkspaces, toVisibleParams } from './sql.ts'

type Verbs = Pick<
  RecordReads,
  | 'findRecord'
  | 'findHead'
  | 'findRecordsBySeq'
  | 'findHeadsBySeq'
  | 'findExcerptsBySeq'
  | 'listRecords'
  | 'listSourceSlice'
  | 'listOfSourcesBeginning'
  | 'listTrashSlice'
  | 'listToReview'
  | 'countForgotten'
>
type SupersededReads = Pick<RecordReads, 'listSupersededBy' | 'listOrphans'>

/** Records with contents read at once: with the longest about 1 MB, which takes 2 ms. */
const EXAMINED_ROWS = 16
/** Records read at once without their contents. */
const EXAMINED_HEADS = 128

/** Records by id, by number and in lists. */
export function createRecords(sql: ProjectSql): Verbs {
  const { all, allOnce, own, by, numbers, joinRecord, inBatches, record } = sql

  async function find<Found>(
    fields: string,
    ...[visible, id, options]: Parameters<RecordReads['findRecord']>
  ): Promise<Found | undefined> {
    const isWanted = options?.forgotten ? 'true' : 'forgotten_at is null'
    const text = `select ${fields} from records where ${own()} and id = $id and ${isVisible(visible)} and ${isWanted}`
    return (await all<Found>(text, { ...toVisibleParams(visible), id }, record.columns))[0]
  }

  const findBySeq = <Found>(
    fields: string,
    size: number,
    ...[visible, seqs]: Parameters<RecordReads['findRecordsBySeq']>
  ): Promise<Found[]> =>
    inBatches(seqs, size, (batch) =>
      all<Found>(
        `select ${fields} from ${numbers('seqs')} as named ${joinRecord('named.number')} where ${isVisible(visible)} and forgotten_at is null`,
        { ...toVisibleParams(visible), seqs: batch },
        record.columns,
      ),
    )

  const excerpts = (visible: Visible) => `select records.seq, records.id, records.fact_key as "factKey",
      workspaces.name as workspace, substr(records.content, 1, $characters) as content
    from ${numbers('seqs')} as named ${joinRecord('named.number')}
    join workspaces on ${own('workspaces')} and workspaces.id = records.workspace_id and workspaces.removed_at is null
    where ${isVisible(visible, 'records.audience')} and records.forgotten_at is null and records.status <> 'superseded'
      and not records.marked`

  const ofSource = `from records ${by('records_by_source')}
    where ${own()} and workspace_id = $workspaceId and source_id = $sourceId and source_id is not null and forgotten_at is null`
  const sourceSlice = `select ${record.head} from ${toPage(ofSource, 'audience, seq', ['audience'])} as named ${joinRecord('named.seq')}
    order by named.audience, named.seq`
  const ofTrash = `from records ${by('records_by_forgotten')} where ${own()} and forgotten_at is not null`
  const toTrash = (way: 'up' | 'down', order: 'asc' | 'desc') =>
    `select ${record.whole} from ${toPage(ofTrash, 'forgotten_at, seq', ['forgotten_at'], way)} as named ${joinRecord('named.seq')}
    order by named.forgotten_at ${order}, named.seq ${order}`
  const [trash, oldestTrash] = [toTrash('down', 'desc'), toTrash('up', 'asc')]
  const toReview = {
    forgotten: `${by('records_to_review')} where ${own()} and needs_review and`,
    marked: `${by('records_marked')} where ${own()} and marked and forgotten_at is null and status <> 'superseded'
      and workspace_id not in ${toRemovedWorkspaces(sql)} and`,
  }
  const reviewOrder = { forgotten: 'forgotten_at desc, seq desc', marked: 'seq desc' }

  return {
    findRecord: (...asked) => find<StoredRecord>(record.whole, ...asked),
    findHead: (...asked) => find<RecordHead>(record.head, ...asked),
    findRecordsBySeq: (...asked) => findBySeq<StoredRecord>(record.whole, EXAMINED_ROWS, ...asked),
    findHeadsBySeq: (...asked) => findBySeq<RecordHead>(record.head, EXAMINED_HEADS, ...asked),
    findExcerptsBySeq: (visible, seqs, characters) =>
      inBatches(seqs, EXAMINED_ROWS, (batch) =>
        all<Excerpt>(excerpts(visible), { ...toVisibleParams(visible), seqs: batch, characters }),
      ),
    listRecords: async (selection) => {
      const { isChecked = false, newestFirst = false } = selection
      const { conditions, params } = toConditions(selection)
      const text = `select ${isChecked ? record.checked : record.whole} from records where ${own()} and ${conditions}
        order by seq ${newestFirst ? 'desc' : 'asc'} ${selection.limit === undefined ? '' : 'limit $limit'}`
      const found = await allOnce<StoredRecord>(text, params, record.columns)
      return isChecked ? found.map(record.requireAsSaved) : found
    },
    listSourceSlice: async ({
      visible,
      workspaceId,
      sourceId,
      after = { audience: '', seq: 0 },
      examine = EXAMINED_ROWS,
    }) => {
      const { audience, seq }: OfSourcePlace = after
      const rows = await all<RecordHead>(sourceSlice, { workspaceId, sourceId, audience, seq, examine }, record.columns)
      return {
        heads: rows.filter((row) => isSeen(visible, row)),
        next: rows.length < examine ? undefined : rows.at(-1),
      }
    },
    listOfSourcesBeginning: async (visible, beginning, limit) => {
      const workspaces = `(select id from workspaces where ${own()} and removed_at is null)`
      const text = `select ${record.head} from records ${by('records_by_source')}
        where ${own()} and workspace_id in ${workspaces} and source_id >= $from and source_id < $until and source_id is not null
        and forgotten_at is null and ${isVisible(visible)} order by seq limit $limit`
      const until = beginning.slice(0, -1) + String.fromCharCode(beginning.charCodeAt(beginning.length - 1) + 1)
      return all<RecordHead>(text, { ...toVisibleParams(visible), from: beginning, until, limit }, record.columns)
    },
    listTrashSlice: async (visible, { before, after, examine = EXAMINED_ROWS }) => {
      const { seq, forgottenAt } = after ?? before ?? { seq: MAX_SEQ, forgottenAt: Number.MAX_SAFE_INTEGER }
      const rows = await all<StoredRecord>(
        after === undefined ? trash : oldestTrash,
        { seq, forgotten_at: forgottenAt, examine },
        record.columns,
      )
      const last = rows.at(-1)
      const next: TrashPlace | undefined = last && { seq: last.seq, forgottenAt: last.forgottenAt ?? 0 }
      return { records: rows.filter((row) => isSeen(visible, row)), next: rows.length < examine ? undefined : next }
    },
    countForgotten: async (visible, kind) => {
      const forgotten = `${by('records_by_forgotten')} where ${own()} and forgotten_at is not null and`
      const listed = kind === undefined ? forgotten : toReview.forgotten
      const text = `select cast(count(*) as integer) as n from records ${listed} ${isVisible(visible)}`
      return (await all<{ n: number }>(text, toVisibleParams(visible)))[0]?.n ?? 0
    },
    listToReview: (visible, kind, limit) =>
      all(
        `select ${record.whole} from records ${toReview[kind]} ${isVisible(visible)} order by ${reviewOrder[kind]} limit $limit`,
        { ...toVisibleParams(visible), limit },
        record.columns,
      ),
  }
}

const isSeen = (visible: Selection['visible'], { audience }: RecordHead): boolean => visible?.includes(audience) ?? true

/** The conditions repeat those of partial indexes where they hold, without which SQLite does not use these. */
function toConditions({ visible, workspaceId, sourceId, status, forgotten, afterSeq, beforeSeq, limit }: Selection) {
  const isSelective = visible?.includes('*') === false || (status !== undefined && status !== 'unverified')
  const conditions = [
    isVisible(visible),
    visible?.includes('*') === false && "audience <> '*'",
    forgotten ? 'forgotten_at is not null' : 'forgotten_at is null',
    // The plus sign keeps SQLite from using the index by workspace if another one is more selective.
    workspaceId !== undefined && `${isSelective ? '+' : ''}workspace_id = $workspaceId`,
    sourceId !== undefined && 'source_id = $sourceId',
    status !== undefined && `status = $status${status === 'unverified' ? '' : " and status <> 'unverified'"}`,
    afterSeq !== undefined && 'seq > $afterSeq',
    beforeSeq !== undefined && 'seq < $beforeSeq',
  ].filter((condition) => condition !== false)
  const given = Object.entries({ workspaceId, sourceId, status, afterSeq, beforeSeq, limit }).flatMap(
    ([name, value]) => (value === undefined ? [] : [[name, value] as const]),
  )
  return { conditions: conditions.join(' and '), params: { ...toVisibleParams(visible), ...Object.fromEntries(given) } }
}

/** Superseded records examined in one slice. */
const EXAMINED_SUPERSEDED = 64

/** Records by what supersedes them. */
export function createSupersededReads({ all, own, by, joinRecord, record }: ProjectSql): SupersededReads {
  const superseded = `select ${record.head} from records ${by('records_by_superseder')}
    where ${own()} and superseded_by = $id and forgotten_at is null and seq < $beforeSeq order by seq desc limit $limit`
  const ofSuperseded = `from records ${by('records_by_superseder')} where ${own()} and superseded_by is not null`
  const orphans = `select records.id, named.seq, named.superseded_by as "supersededBy",
      records.forgotten_at is null and records.status = 'superseded' and superseder.seq is null as "isOrphan"
    from ${toPage(ofSuperseded, 'superseded_by, seq', ['superseded_by'])} as named ${joinRecord('named.seq')}
    left join records as superseder on ${own('superseder')} and superseder.id = named.superseded_by and superseder.forgotten_at is null
      and superseder.workspace_id = records.workspace_id and superseder.audience = records.audience
    order by named.superseded_by, named.seq`
  return {
    listSupersededBy: (id, { beforeSeq = MAX_SEQ, limit }) => all(superseded, { id, limit, beforeSeq }, record.columns),
    listOrphans: async ({ after, examine = EXAMINED_SUPERSEDED }) => {
      const { supersededBy, seq }: SupersededPlace = after ?? { supersededBy: '', seq: 0 }
      const rows = await all<SupersededPlace & { id: string; isOrphan: boolean | number }>(orphans, {
        superseded_by: supersededBy,
        seq,
        examine,
      })
      return {
        ids: rows.filter(({ isOrphan }) => isOrphan).map(({ id }) => id),
        next: rows.length < examine ? undefined : rows.at(-1),
      }
    },
  }
}
