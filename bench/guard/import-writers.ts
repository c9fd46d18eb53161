import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'bun'
import { readWriters } from './rows.ts'

/**
 * Packs the notes and attacks of a folder for training, those of files named `-test-` left out. Usage: `bun
 * bench/guard/import-writers.ts FOLDER`.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: bun bench/guard/import-writers.ts FOLDER')
const rows = readWriters(folder, false)
const target = join(import.meta.dir, 'corpus/written.jsonl.zst')
writeFileSync(target, zstdCompressSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { level: 22 }))
console.log(
  `${rows.filter(({ attack }) => attack).length} attacks and ${rows.filter(({ attack }) => !attack).length} notes written to ${target}`,
)
