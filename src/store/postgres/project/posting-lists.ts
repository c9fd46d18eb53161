import { sql } from 'drizzle-orm'
import type { Audience } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { FULL_BLOCK_RECORDS, OPEN_BLOCK, pack, unpack } from './packed.ts'

/** The terms of one record, each once, as they are stored. */
export type Entry = { seq: number; workspace: number; audience: Audience; terms: string[] }

type List = { audience: Audience; term: string; workspace: number }
type Block = List & { block: number; seqs: Uint8Array }

/** Writes the numbers of records behind all others of their lists: a row for each term that any of them has. Blocks that are full are closed. */
export async function appendToLists({ db }: Connection, projectId: string, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  const full = await db.execute<List>(sql`with written as (insert into posting_lists as list
      (project_id, audience, term, workspace_id, block, records, seqs)
    select ${projectId}, entry.audience, pair.term, entry.workspace, ${OPEN_BLOCK}::integer, count(*), string_agg(int4send(entry.seq), ''::bytea order by entry.seq)
    from json_to_recordset(${JSON.stringify(entries)}::text::json) as entry (seq integer, workspace integer, audience text, terms json)
      cross join json_array_elements_text(entry.terms) as pair (term)
    group by 2, 3, 4
    on conflict (project_id, audience, term, workspace_id, block) do update set records = list.records + excluded.records, seqs = list.seqs || excluded.seqs
    returning audience, term, workspace_id as workspace, records)
    select audience, term, workspace from written where records >= ${FULL_BLOCK_RECORDS}::integer`)
  await closeBlocks(
    { db },
    projectId,
    full.map(({ audience, term, workspace }) => ({ audience, term, workspace })),
  )
}

/** Gives open blocks the number of their first record, so that the next record begins another. */
async function closeBlocks({ db }: Pick<Connection, 'db'>, projectId: string, lists: List[]): Promise<void> {
  if (lists.length === 0) return
  await db.execute(sql`update posting_lists as list
    set block = (get_byte(seqs, 0) << 24) | (get_byte(seqs, 1) << 16) | (get_byte(seqs, 2) << 8) | get_byte(seqs, 3)
    from json_to_recordset(${JSON.stringify(lists)}::text::json) as named (audience text, term text, workspace integer)
    where list.project_id = ${projectId} and list.audience = named.audience and list.term = named.term and list.workspace_id = named.workspace
      and list.block = ${OPEN_BLOCK}::integer`)
}

type Edit = List & { seq: number; isAdded: boolean }

/** Takes numbers out of the blocks that have them, and puts others into those that they belong to, whatever their order. */
export async function editLists(
  connection: Connection,
  projectId: string,
  { removed, added }: { removed: Entry[]; added: Entry[] },
): Promise<void> {
  const edits = new Map<string, Edit>()
  for (const edit of [...toEdits(removed, false), ...toEdits(added, true)]) {
    const key = `${edit.audience} ${edit.workspace} ${edit.seq} ${edit.term}`
    // What is put back where it was taken out stays.
    if (edit.isAdded && edits.get(key)?.isAdded === false) edits.delete(key)
    else edits.set(key, edit)
  }
  if (edits.size === 0) return
  const all = [...edits.values()]
  await writeBlocks(connection, projectId, editBlocks(await findBlocks(connection, projectId, all), all))
}

const toEdits = (entries: Entry[], isAdded: boolean): Edit[] =>
  entries.flatMap(({ seq, workspace, audience, terms }) => terms.map((term) => ({ audience, term, workspace, seq, isAdded })))

/** Of each edit the open block of its list, and the closed one that its number belongs to: the last that begins at or before it, or else the first. */
async function findBlocks({ db }: Connection, projectId: string, edits: Edit[]): Promise<Block[]> {
  const ofList = sql`list.project_id = ${projectId} and list.audience = edit.audience and list.term = edit.term and list.workspace_id = edit.workspace`
  const closed = sql`${ofList} and list.block < ${OPEN_BLOCK}::integer`
  const find = sql`(select block, seqs from posting_lists as list where ${closed} and list.block <= edit.seq order by block desc limit 1)`
  const first = sql`(select block, seqs from posting_lists as list where ${closed} order by block limit 1)`
  const open = sql`(select block, seqs from posting_lists as list where ${ofList} and list.block = ${OPEN_BLOCK}::integer)`
  const found = await db.execute(sql`select distinct edit.audience, edit.term, edit.workspace, found.block, found.seqs
    from json_to_recordset(${JSON.stringify(edits)}::text::json) as edit (audience text, term text, workspace integer, seq integer)
    cross join lateral (${find} union all (select * from ${first} as first where not exists (select 1 from ${find} as before)) union all ${open}) as found`)
  return found.map(({ audience, term, workspace, block, seqs }): Block => ({ audience, term, workspace, block, seqs }))
}

type Edited = List & { block: number; seqs: Set<number> }

/** The blocks with the edits done to them. */
function editBlocks(blocks: Block[], edits: Edit[]): Edited[] {
  const keyOf = ({ audience, term, workspace }: List) => `${audience} ${workspace} ${term}`
  const byList = Map.groupBy(
    blocks.map((block): Edited => ({ ...block, seqs: new Set(unpack(block.seqs)) })),
    keyOf,
  )
  for (const { seq, isAdded, ...list } of edits) {
    const known = byList.get(keyOf(list)) ?? []
    if (known.length === 0) byList.set(keyOf(list), known)
    const block = blockOf(known, seq) ?? known[known.push({ ...list, block: OPEN_BLOCK, seqs: new Set() }) - 1]
    if (isAdded) block?.seqs.add(seq)
    else block?.seqs.delete(seq)
  }
  return [...byList.values()].flat()
}

/** The block of a list that a number belongs to. */
function blockOf(blocks: Edited[], seq: number): Edited | undefined {
  const open = blocks.find(({ block }) => block === OPEN_BLOCK)
  const closed = blocks.filter(({ block }) => block < OPEN_BLOCK).sort((a, b) => b.block - a.block)
  const isInOpen = open !== undefined && (closed.length === 0 || seq >= Math.min(...open.seqs))
  return isInOpen ? open : (closed.find(({ block }) => block <= seq) ?? closed.at(-1))
}

async function writeBlocks({ db }: Connection, projectId: string, blocks: Edited[]): Promise<void> {
  const rows = blocks.map(({ audience, term, workspace, block, seqs }) => ({
    audience,
    term,
    workspace,
    block,
    records: seqs.size,
    seqs: pack([...seqs]),
  }))
  await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, records, seqs)
    select ${projectId}, row.audience, row.term, row.workspace, row.block, row.records, decode(row.seqs, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (audience text, term text, workspace integer, block integer, records integer, seqs text)
    on conflict (project_id, audience, term, workspace_id, block) do update set records = excluded.records, seqs = excluded.seqs`)
}
