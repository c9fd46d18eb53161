import { type SQL, sql } from 'drizzle-orm'
import type { Audience } from '../../../record.ts'
import type { Connection } from '../../connection.ts'
import { FULL_BLOCK_BYTES, OPEN_BLOCK, pack, unpack } from './packed.ts'

/** The terms of one record, each once, as they are stored. */
export type Entry = { seq: number; workspace: number; audience: Audience; terms: string[] }

type List = { audience: Audience; term: string; workspace: number }
type Block = List & { block: number; seqs: Uint8Array }

/** Of the block that there is and of what is added to it: its first number. */
const FIRST_SEQ = sql.raw(
  [0, 1, 2, 3].map((at) => `(get_byte(list.seqs || excluded.seqs, ${at}) << ${24 - 8 * at})`).join(' | '),
)

/**
 * The statement that writes the numbers of records behind all others of their lists: a row for each term that any of
 * them has. A block that it fills is closed, by the number of its first record, so that the next record begins another.
 */
export function toAppend(projectId: number, entries: Entry[]): SQL {
  return sql`insert into posting_lists as list (project_id, audience, term, workspace_id, block, seqs)
    select ${projectId}, place.audience, added.term, place.workspace, ${OPEN_BLOCK}::integer, decode(added.seqs, 'hex')
    from json_to_recordset(${JSON.stringify(toPlaces(entries))}::text::json) as place (audience text, workspace integer, lists json)
      cross join json_each_text(place.lists) as added (term, seqs)
    on conflict (project_id, audience, term, workspace_id, block) do update
    set seqs = list.seqs || excluded.seqs,
      block = case when octet_length(list.seqs) + octet_length(excluded.seqs) >= ${FULL_BLOCK_BYTES}::integer then ${FIRST_SEQ} else list.block end`
}

/**
 * What is added to the lists of each audience of a workspace, by term. In order of terms: rows that are near each other
 * in the index are written one after the other.
 */
function toPlaces(entries: Entry[]): (Omit<List, 'term'> & { lists: Record<string, string> })[] {
  return [...Map.groupBy(entries, ({ audience, workspace }) => `${audience} ${workspace}`).values()].flatMap(
    (group) => {
      const [first] = group
      return first === undefined
        ? []
        : [{ audience: first.audience, workspace: first.workspace, lists: toLists(group) }]
    },
  )
}

function toLists(entries: Entry[]): Record<string, string> {
  const lists = new Map<string, number[]>()
  for (const { seq, terms } of entries)
    for (const term of terms) {
      const known = lists.get(term)
      if (known === undefined) lists.set(term, [seq])
      else known.push(seq)
    }
  const terms = [...lists.keys()].sort()
  return Object.fromEntries(terms.map((term) => [term, pack(lists.get(term) ?? [])]))
}

type Edit = List & { seq: number; isAdded: boolean }

/**
 * Takes numbers out of the blocks that have them, and puts others into those that they belong to, whatever their order.
 */
export async function editLists(
  connection: Connection,
  projectId: number,
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
  entries.flatMap(({ seq, workspace, audience, terms }) =>
    terms.map((term) => ({ audience, term, workspace, seq, isAdded })),
  )

/**
 * Of each edit the open block of its list, and the closed one that its number belongs to: the last that begins at or
 * before it, or else the first.
 */
async function findBlocks({ db }: Connection, projectId: number, edits: Edit[]): Promise<Block[]> {
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

async function writeBlocks({ db }: Connection, projectId: number, blocks: Edited[]): Promise<void> {
  const rows = blocks.map(({ audience, term, workspace, block, seqs }) => ({
    audience,
    term,
    workspace,
    block,
    seqs: pack([...seqs]),
  }))
  await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, seqs)
    select ${projectId}, row.audience, row.term, row.workspace, row.block, decode(row.seqs, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (audience text, term text, workspace integer, block integer, seqs text)
    on conflict (project_id, audience, term, workspace_id, block) do update set seqs = excluded.seqs`)
}
