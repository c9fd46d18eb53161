import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printEffects } from './effects.ts'
import { fitLessons, learn, PARTS, scoreApart, toLessons, toModel } from './learn.ts'
import { deal, readRows } from './rows.ts'
import { THRESHOLD_LOG_ODDS } from './threshold.ts'

/** Writes the weights that ship. Usage: `bun bench/guard/train.ts FOLDER`, where FOLDER holds `dev.jsonl`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: bun bench/guard/train.ts FOLDER')
const rows = readRows(folder)
const lessons = toLessons(rows, deal(rows, PARTS))
const apart = scoreApart(lessons)
const model = learn(lessons, apart, fitLessons(lessons), THRESHOLD_LOG_ODDS)
const target = join(import.meta.dir, '../../src/guard/weights.json')
writeFileSync(target, `${JSON.stringify(model, undefined, 2)}\n`)
console.log(`${lessons.length} texts, ${model.grams.length} characters of weights, written to ${target}`)
printEffects(lessons, apart, toModel(model))
