import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toEntry } from '../src/memory/entry.ts'
import type { NewRecord } from '../src/store/project.ts'
import { openCorpus } from './corpus.ts'
import { openBenchService } from './service.ts'

// What the index adds to a save, row and rows-with-index in turn: `bun bench/save.ts [notes.jsonl questions.jsonl]`.
// "Row alone" is the same verb's row, with its keys and its durability, written by prepared statements into a file without the index.

const ROUNDS = 40
/** Rounds before them, that a service which has run for a second or two is measured. */
const WARM_UP = 40
const A_ROUND = 128
const [notes, questions] = process.argv.slice(2)
const corpus = openCorpus(notes === undefined ? [] : [notes], questions === undefined ? [] : [questions])
const { service, caller, projectFile, close } = await openBenchService()
const project = service.store.project(caller.projectId)
const workspace = await project.write((tx) => tx.insertWorkspace('default', 1))
const folder = mkdtempSync(join(tmpdir(), 'memsvc-bench-row-'))
const plain = openPlain(join(folder, 'plain.db'))

for (const together of [1, 10, 128]) {
  const rounds: { row: number; index: number }[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const times = { row: 0, index: 0 }
    const records = Array.from({ length: A_ROUND }, (_, at) => toRecord(corpus.text(at)))
    for (let at = 0; at < records.length; at += together) {
      const batch = records.slice(at, at + together)
      let start = performance.now()
      plain(batch)
      times.row += performance.now() - start
      start = performance.now()
      await project.write(async (tx) => {
        for (const record of batch) await tx.insertRecord({ ...record, entry: toEntry(record.content) })
      })
      times.index += performance.now() - start
    }
    if (round >= WARM_UP) rounds.push(times)
  }
  const row = median(rounds.map((times) => times.row))
  const index = median(rounds.map((times) => times.index))
  const each = (total: number) => ((total * 1000) / A_ROUND).toFixed(1).padStart(7)
  console.log(
    `${together} a transaction: row alone ${each(row)} µs, with analysis and index ${each(index)} µs, ${(index / row).toFixed(2)} times`,
  )
}

rmSync(folder, { recursive: true })
await close()

/** What half of the rounds took: the disk holds some of them up. */
function median(totals: number[]): number {
  return totals.sort((a, b) => a - b)[totals.length >> 1] ?? 0
}

function toRecord(content: string): Omit<NewRecord, 'entry'> {
  return {
    id: Bun.randomUUIDv7(),
    workspaceId: workspace.id,
    audience: '*',
    authorId: caller.authorId,
    content,
    factKey: 'note',
    factKeyGiven: false,
    status: 'unverified',
    supersededBy: null,
    sourceId: 'source',
    sourceHash: null,
    createdAt: Date.now(),
    expiresAt: null,
    forgottenAt: null,
  }
}

/** The table of records and its indexes as a project's file has them, and nothing beside. */
function openPlain(path: string): (records: Omit<NewRecord, 'entry'>[]) => void {
  const template = new Database(projectFile, { readonly: true })
  const made = template.query<{ sql: string }, []>("select sql from sqlite_schema where tbl_name = 'records' and sql is not null").all()
  template.close()
  const database = new Database(path)
  database.run('pragma journal_mode = wal')
  database.run('pragma synchronous = full')
  for (const { sql } of made) database.run(sql)
  const insert =
    database.prepare(`insert into records (id, workspace_id, audience, author_id, content, content_hash, fact_key, fact_key_given,
    status, source_id, created_at) values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`)
  return database.transaction((records: Omit<NewRecord, 'entry'>[]) => {
    for (const one of records) {
      const hash = Number.parseInt(new Bun.CryptoHasher('sha256').update(one.content).digest('hex').slice(0, 13), 16)
      insert.run(
        one.id,
        one.workspaceId,
        one.audience,
        one.authorId,
        one.content,
        hash,
        one.factKey,
        one.status,
        one.sourceId,
        one.createdAt,
      )
    }
  })
}
