import { readFileSync } from 'node:fs'
import { inspect } from '../../src/guard/inspect.ts'
import { type Judged, printTables } from './report.ts'
import { readRows, readWriters } from './rows.ts'

/**
 * Judges texts with the weights that ship. Usage: `bun bench/guard/evaluate.ts FOLDER [--writers FOLDER] [--harmless
 * FILE]`: the rows of `dev.jsonl` in FOLDER; notes and attacks of writers whose files are named `-test-`, which no
 * training sees; and a file of harmless texts, one `{text, lang, source}` a line.
 */
const folder = process.argv[2]
if (folder === undefined)
  throw new Error('usage: bun bench/guard/evaluate.ts FOLDER [--writers FOLDER] [--harmless FILE]')
const option = (name: string) =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const judge = <Text extends { text: string }>(rows: Text[]) =>
  rows.map((row) => ({ ...row, verdict: inspect(row.text).verdict }))

const sets = new Map<string, Judged[]>([
  ['rows of collections', judge(readRows(folder).map((row) => ({ ...row, family: row.kind, writer: '' })))],
])
const writers = option('--writers')
if (writers !== undefined)
  sets.set(
    'writers whom no training saw',
    judge(readWriters(writers, true).map((row) => ({ ...row, source: row.writer }))),
  )
const harmless = option('--harmless')
if (harmless !== undefined) {
  const rows = readFileSync(harmless, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; lang: string; source: string })
  sets.set('harmless texts', judge(rows.map((row) => ({ ...row, attack: false, family: row.source, writer: '' }))))
}
for (const [name, judged] of sets) printTables(name, judged)
