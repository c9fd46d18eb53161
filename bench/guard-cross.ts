import { finish } from '../src/cooperative.ts'
import { canonicalize } from '../src/guard/canonical.ts'
import { judge } from '../src/guard/judge.ts'
import type { Verdict } from '../src/guard/verdict.ts'
import { toViews } from '../src/guard/views/views.ts'
import { fitLessons, learn, PARTS, pack, scoreApart, toLessons, toModel } from './guard/learn.ts'
import { print } from './guard/report.ts'
import { deal, type Row, readRows } from './guard/rows.ts'
import { THRESHOLD_LOG_ODDS } from './guard/threshold.ts'

/**
 * Cross-validation of the guard, grouped by source. Usage: `bun bench/guard-cross.ts FOLDER [--misses N]`. Each part is judged by a classifier that did not learn it, and by
 * the second stage of all texts: that one has some 200 weights only, and learning it for each part would take three times as long.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: bun bench/guard-cross.ts FOLDER [--misses N]')
const rows = readRows(folder)
const partOf = follow(rows, deal(rows, PARTS))
const lessons = toLessons(rows, partOf)
const all = learn(lessons, scoreApart(lessons), fitLessons(lessons), THRESHOLD_LOG_ODDS)
const verdicts = new Map<Row, Verdict>()
for (let part = 0; part < PARTS; part++) {
  const seen = lessons.filter((lesson) => lesson.own || lesson.part !== part)
  const model = toModel({ ...all, ...pack(fitLessons(seen)) })
  for (const row of rows) if (partOf(row) === part) verdicts.set(row, finish(judge(row.text, model)))
}
const at = process.argv.indexOf('--misses')
print(verdicts, at < 0 ? 0 : Number(process.argv[at + 1]))

/** Assigns an obfuscated row to the part of its original, so that no model judges a row whose original it learned from. */
function follow(all: Row[], dealt: (row: Row) => number): (row: Row) => number {
  const bare = (text: string) => canonicalize(text).replace(/[^\p{L}\p{N}]/gu, '')
  const known = new Map(all.filter((row) => row.attack && row.kind !== 'obfuscated').map((row) => [bare(row.text), dealt(row)]))
  const parted = new Map<Row, number>()
  for (const row of all) {
    const twin =
      row.kind === 'obfuscated'
        ? finish(toViews(row.text))
            .map((view) => known.get(bare(view.text)))
            .find((part) => part !== undefined)
        : undefined
    parted.set(row, twin ?? dealt(row))
  }
  return (row) => parted.get(row) ?? 0
}
