import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { learn } from './learn.ts'
import { readTaught, toLesson } from './lessons.ts'

/** Writes the weights that ship. Usage: `bun bench/guard/train.ts FOLDER`, where FOLDER holds `dev.jsonl`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: bun bench/guard/train.ts FOLDER')
const lessons = readTaught(folder).map(toLesson)
const model = learn(lessons)
const target = process.argv[3] ?? join(import.meta.dir, '../../src/guard/weights.json')
writeFileSync(target, `${JSON.stringify(model, undefined, 2)}\n`)
console.log(
  `${lessons.length} texts; ${model.grams.length} characters of weights, ${model.stems.length} of stems, written to ${target}`,
)
