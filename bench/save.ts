import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toEntry } from '../src/memory/search/index/index-entry.ts'
import type { NewRecord } from '../src/store/record.ts'
import { openCorpus } from './corpus.ts'
import { toRecord } from './record.ts'
import { openRows } from './rows.ts'
import { openBenchService } from './service.ts'

// What the index adds to a save, row and rows-with-index in turn: `bun bench/save.ts [notes.jsonl questions.jsonl]`.
// "Row alone" is the same verb's row, with its keys and its durability, written by prepared statements into a file
// without the index; "with plain FTS5" writes the text into an FTS5 table of that file too, in the same transaction,
// and lets the engine make the terms.

const ROUNDS = 40
/** Rounds before them, that a service which has run for a second or two is measured. */
const WARM_UP = 40
const A_ROUND = 128
const PLAIN_FTS5 = `create virtual table plain using fts5(content, content='', contentless_delete=1, tokenize='porter unicode61')`
const [notes, questions] = process.argv.slice(2)
const corpus = openCorpus(notes === undefined ? [] : [notes], questions === undefined ? [] : [questions])
const { service, caller, projectFile, close } = await openBenchService()
const project = service.store.project(caller.projectId)
const workspace = await project.write((tx) => tx.insertWorkspace('default', 1))
const folder = mkdtempSync(join(tmpdir(), 'memsvc-bench-row-'))
const saveRows = openRows(join(folder, 'rows.db'), projectFile)
const saveWithPlain = openRows(join(folder, 'plain.db'), projectFile, PLAIN_FTS5)

type Times = { row: number; plain: number; index: number; analysis: number }

for (const together of [1, 10, 128]) {
  const rounds: Times[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const times: Times = { row: 0, plain: 0, index: 0, analysis: 0 }
    const records = Array.from({ length: A_ROUND }, (_, at) => toNote(corpus.text(at)))
    for (let at = 0; at < records.length; at += together) await saveInTurn(records.slice(at, at + together), times)
    if (round >= WARM_UP) rounds.push(times)
  }
  print(together, rounds)
}

rmSync(folder, { recursive: true })
await close()

async function saveInTurn(batch: Omit<NewRecord, 'entry'>[], times: Times): Promise<void> {
  let start = performance.now()
  saveRows(batch)
  times.row += performance.now() - start
  start = performance.now()
  saveWithPlain(batch)
  times.plain += performance.now() - start
  start = performance.now()
  await project.write(async (tx) => {
    const begun = performance.now()
    const whole = batch.map((record) => ({ ...record, entry: toEntry(record) }))
    times.analysis += performance.now() - begun
    for (const record of whole) await tx.insertRecord(record)
  })
  times.index += performance.now() - start
}

function print(together: number, rounds: Times[]): void {
  const each = (part: keyof Times) => (median(rounds.map((times) => times[part])) * 1000) / A_ROUND
  const [row, plain, index, analysis] = [each('row'), each('plain'), each('index'), each('analysis')]
  const compared = (time: number) => `${time.toFixed(1)} µs (${(time / row).toFixed(2)} times)`
  console.log(
    `${together} a transaction: row alone ${row.toFixed(1)} µs; with plain FTS5 ${compared(plain)}; with analysis and index ${compared(index)}, analysis ${analysis.toFixed(1)} µs of it`,
  )
}

/** What half of the rounds took: the disk holds some of them up. */
function median(totals: number[]): number {
  return totals.sort((a, b) => a - b)[totals.length >> 1] ?? 0
}

function toNote(content: string): Omit<NewRecord, 'entry'> {
  return toRecord({
    workspaceId: workspace.id,
    authorId: caller.authorId,
    content,
    factKey: 'note',
    sourceId: 'source',
  })
}
