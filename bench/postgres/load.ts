import { sql } from 'drizzle-orm'
import type { Connection, OpenConnection } from '../../src/store/postgres/connection.ts'
import { FULL_BLOCK_RECORDS, OPEN_BLOCK, pack } from '../../src/store/postgres/project/index/packed.ts'
import { toInsert } from '../../src/store/postgres/project/inserts.ts'
import { toRow } from '../../src/store/postgres/project/writes.ts'
import { requireNumber } from '../../src/store/postgres/project-numbers.ts'
import { inLongTransaction } from '../../src/store/postgres/use-connection.ts'
import type { NewRecord } from '../../src/store/record.ts'

/** Rows written by one statement. */
const BATCH_ROWS = 2_500
const WORKSPACE = { id: 1, name: 'default' }

type Block = { term: string; block: number; seqs: string }

/**
 * Fills an empty project with new records of everyone, numbered from 1 on, as saves would have left it, in a fifth of
 * their time: each posting list is written once, when all of its records are known. Holds the numbers of all postings
 * in memory.
 */
export async function loadProject(
  connection: OpenConnection,
  id: string,
  toRecord: (at: number) => NewRecord,
  count: number,
): Promise<void> {
  const projectId = await requireNumber(connection, id)
  await connection.show(projectId)
  await inLongTransaction(connection, () => load(connection, projectId, toRecord, count))
}

async function load(
  connection: Connection,
  projectId: number,
  toRecord: (at: number) => NewRecord,
  count: number,
): Promise<void> {
  const lists = new Map<string, number[]>()
  let length = 0
  for (let at = 0; at < count; at += BATCH_ROWS) {
    const records = Array.from({ length: Math.min(BATCH_ROWS, count - at) }, (_, nth) => toRecord(at + nth))
    await connection.db.execute(
      toInsert(records.map((record, nth) => ({ ...toRow(record), projectId, seq: at + nth + 1 }))),
    )
    records.forEach(({ entry }, nth) => {
      length += entry.length
      addToLists(lists, entry.terms, at + nth + 1)
    })
    if (count > 10_000 && (at + BATCH_ROWS) % 50_000 === 0) console.error(`  ${at + BATCH_ROWS} of ${count}`)
  }
  const blocks = [...lists.keys()].sort().flatMap((term) => toBlocks(term, lists.get(term) ?? []))
  for (let at = 0; at < blocks.length; at += BATCH_ROWS)
    await insertBlocks(connection, projectId, blocks.slice(at, at + BATCH_ROWS))
  await writeState(connection, projectId, { count, length, rules: toRecord(0).entry.rules })
}

function addToLists(lists: Map<string, number[]>, terms: string, seq: number): void {
  for (const term of new Set(terms.split(' '))) {
    if (term === '') continue
    const known = lists.get(term)
    if (known === undefined) lists.set(term, [seq])
    else known.push(seq)
  }
}

/** Full blocks, each numbered by its first record, and the open one with the rest. */
function toBlocks(term: string, seqs: number[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < seqs.length; at += FULL_BLOCK_RECORDS) {
    const part = seqs.slice(at, at + FULL_BLOCK_RECORDS)
    const block = part.length === FULL_BLOCK_RECORDS ? (part[0] ?? 0) : OPEN_BLOCK
    blocks.push({ term, block, seqs: pack(part) })
  }
  return blocks
}

async function insertBlocks({ db }: Connection, projectId: number, blocks: Block[]): Promise<void> {
  await db.execute(sql`insert into posting_lists (project_id, audience, term, workspace_id, block, seqs)
    select ${projectId}, '*', row.term, ${WORKSPACE.id}::integer, row.block, decode(row.seqs, 'hex')
    from json_to_recordset(${JSON.stringify(blocks)}::text::json) as row (term text, block integer, seqs text)`)
}

type Loaded = { count: number; length: number; rules: number }

/** The workspace, what is counted of it, and what a write of the project would know. */
async function writeState({ db }: Connection, projectId: number, { count, length, rules }: Loaded): Promise<void> {
  const { id, name } = WORKSPACE
  await db.execute(
    sql`insert into workspaces (project_id, id, name, folded_name, created_at) values (${projectId}, ${id}::integer, ${name}, ${name}, 1)`,
  )
  await db.execute(
    sql`insert into workspace_audiences (project_id, workspace_id, audience, name) values (${projectId}, ${id}::integer, '*', ${name})`,
  )
  await db.execute(sql`insert into audience_stats (project_id, workspace_id, audience, records, length)
    values (${projectId}, ${id}::integer, '*', ${count}::integer, ${length}::bigint)`)
  await db.execute(sql`insert into project_state (project_id, version, records, content_bytes, last_seq, last_workspace_id, rules, target, reached)
    select ${projectId}, 1, ${count}::integer, sum(content_bytes), ${count}::integer, ${id}::integer, ${rules}::integer, ${rules}::integer, 0
    from records where project_id = ${projectId}`)
}
