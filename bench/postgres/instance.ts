import { searchMemory } from '../../src/memory/search/search.ts'
import { openCorpus } from '../corpus.ts'
import { openOn } from './service.ts'

// One instance on a database, that answers questions until its time is over: `bun instance.ts URL PROJECT SECONDS
// NUMBER`. Prints how many.

/** Questions that are asked at once. */
const CONCURRENT = 8
const [url, projectId = '', seconds = '5', number = '0'] = process.argv.slice(2)
const { service, callerOf, close } = await openOn(url)
const { questions } = openCorpus([], [])
const caller = callerOf(projectId)
let asked = Number(number) * 331
let answered = 0
// No answer is one that was given before: another word in each.
const ask = () => searchMemory(service, caller, { query: `${questions[asked % questions.length]} ${asked++}` })
for (let at = 0; at < 20; at++) await ask()
console.log('ready')
await new Promise((resolve) => process.stdin.once('data', resolve))
const end = performance.now() + Number(seconds) * 1_000
await Promise.all(
  Array.from({ length: CONCURRENT }, async () => {
    while (performance.now() < end) {
      await ask()
      answered++
    }
  }),
)
console.log(String(answered))
await close()
process.exit(0)
