import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { searchMemory } from '../../src/memory/search/search.ts'
import { fillProject } from './dataset.ts'
import { startServer } from './server.ts'
import { openOn } from './service.ts'

// Whether both engines answer the same, word for word: `bun bench/postgres/same.ts FOLDER [--asked 200] [--sets a,b]
// [--cache FOLDER]`. FOLDER holds sets of documents and questions, as those that `quality.ts` is measured with. Prints
// for each set how many answers were the same, ids, order and scores, and ends with status 1 where one was not.

type Doc = { id: string; text: string; src?: string }
type Set = { projects: { docs: Doc[]; queries: { text: string }[] }[] }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    asked: { type: 'string', default: '200' },
    sets: { type: 'string' },
    cache: { type: 'string', default: '/tmp/memsvc-bench-postgres' },
  },
})
const [folder = '.'] = positionals
/** The longest content. */
const MAX_CHARACTERS = 16_000

const server = await startServer(values.cache)
const names =
  values.sets?.split(',') ?? readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? name.slice(0, -5) : []))
let different = 0
for (const name of names) different += await compareSet(name)
await server.stop()
process.exit(different === 0 ? 0 : 1)

async function compareSet(name: string): Promise<number> {
  const { projects }: Set = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  const counts = { asked: 0, same: 0, found: 0 }
  for (const { docs, queries } of projects) {
    const [most, every] = [
      Math.ceil(Number(values.asked) / projects.length),
      Math.max(1, Math.floor((queries.length * projects.length) / Number(values.asked))),
    ]
    const chosen = queries.filter((_, at) => at % every === 0).slice(0, most)
    await server.drop('same')
    const answers = []
    for (const url of [undefined, (await server.database('same')).url])
      answers.push(
        await answersOf(
          url,
          docs,
          chosen.map(({ text }) => text),
        ),
      )
    const [embedded = [], shared = []] = answers
    embedded.forEach((answer, at) => {
      counts.asked++
      if (answer !== '[]') counts.found++
      if (answer === shared[at]) counts.same++
      else console.log(`  ${chosen[at]?.text}\n    ${answer}\n    ${shared[at]}`)
    })
  }
  console.log(`${name.padEnd(20)} ${counts.same} of ${counts.asked} answers are the same, ${counts.found} with records`)
  return counts.asked - counts.same
}

/** Documents and scores of each answer, as a text. */
async function answersOf(url: string | undefined, docs: Doc[], questions: string[]): Promise<string[]> {
  const opened = await openOn(url)
  const { service, first, callerOf, close } = opened
  const caller = callerOf(first.projectId)
  const texts = docs.map(({ id, text, src }) => ({
    id,
    content: text.slice(0, MAX_CHARACTERS).trim() || '(empty)',
    source: src ?? null,
  }))
  await fillProject(service, first.projectId, first.authorId, texts)
  const answers: string[] = []
  for (const query of questions) {
    const { result } = await searchMemory(service, caller, { query, limit: 10 })
    answers.push(JSON.stringify(result.map(({ id, score }) => [id, score])))
  }
  await close()
  return answers
}
