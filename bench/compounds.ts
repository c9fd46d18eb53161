// How often a note with a compound is found by a word that is the last part of it: the pairs of
// bench/wordings/compounds.jsonl, each language a project of its own. Usage: bun bench/compounds.ts
import { join } from 'node:path'
import { searchMemory } from '../src/memory/search/search.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

type Pair = { lang: string; query: string; note: string }

const lines = (await Bun.file(join(import.meta.dir, 'wordings', 'compounds.jsonl')).text()).trim().split('\n')
const pairs = lines.map((line): Pair => JSON.parse(line))
for (const [lang, own] of Map.groupBy(pairs, (pair) => pair.lang)) {
  const opened = await openBenchService()
  const ids: string[] = []
  for (const { note } of own) ids.push(await keep(opened, { content: note }))
  let [first, found] = [0, 0]
  for (const [at, { query }] of own.entries()) {
    const { result } = await searchMemory(opened.service, opened.caller, { query, limit: 5 })
    const rank = result.findIndex(({ id }) => id === ids[at])
    if (rank === 0) first += 1
    if (rank >= 0) found += 1
  }
  console.log(`${lang}: first ${first}, among five ${found}, of ${own.length}`)
  await opened.close()
}
