import { parseArgs } from 'node:util'
import { COMMAND_LINE } from '../src/account/auth/actor.ts'
import { addProject } from '../src/account/organizations/project.ts'
import { searchMemory } from '../src/memory/search/search.ts'
import { openCorpus } from './corpus.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

// Whether other projects slow one down: two services with the same project, one of them with others beside it that are
// asked too, in turn. `bun bench/beside.ts [--records 10000] [--others 1000] [--asked 1000] [--notes FILE …]
// [--questions FILE …]`

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    others: { type: 'string', default: '1000' },
    asked: { type: 'string', default: '1000' },
    notes: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
  },
})

const TOGETHER = 500
/** Records of each other project. */
const SMALL_PROJECT_RECORDS = 20
const WARM_UP = 50
/** Other projects asked between two questions of the one that is measured. */
const BETWEEN = 3

type Opened = Awaited<ReturnType<typeof openBenchService>>

const corpus = openCorpus(values.notes, values.questions)
const [alone, beside] = [await openBenchService(), await openBenchService()]
const texts = Array.from({ length: Number(values.records) }, (_, at) => corpus.text(at))
for (const opened of [alone, beside]) await fill(opened, texts)
const others = await addOthers(beside, Number(values.others))

const times: Record<string, number[]> = { alone: [], beside: [] }
for (let at = 0; at < Number(values.asked) + WARM_UP; at++) {
  const query = `${corpus.questions[at % corpus.questions.length]}${' '.repeat(at / corpus.questions.length)}`
  for (let nth = 0; nth < BETWEEN; nth++) await ask(others[(at * BETWEEN + nth) % others.length] ?? beside, query)
  const turn = at % 2 === 0 ? ['alone', 'beside'] : ['beside', 'alone']
  for (const name of turn) {
    const took = await ask(name === 'alone' ? alone : beside, query)
    if (at >= WARM_UP) times[name]?.push(took)
  }
}
for (const [name, taken] of Object.entries(times)) {
  const sorted = taken.sort((a, b) => a - b)
  const share = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2)
  console.log(`${name.padEnd(7)} p50 ${share(0.5)} ms, p90 ${share(0.9)} ms, p99 ${share(0.99)} ms`)
}
for (const opened of [alone, beside]) await opened.close()

async function fill(opened: Pick<Opened, 'service' | 'caller'>, contents: string[]): Promise<void> {
  for (let at = 0; at < contents.length; at += TOGETHER) {
    const saves = contents.slice(at, at + TOGETHER).map((content) => keep(opened, { content, source_id: 'source' }))
    await Promise.all(saves)
  }
}

async function addOthers({ service, caller }: Opened, count: number): Promise<Pick<Opened, 'service' | 'caller'>[]> {
  const added = []
  for (let nth = 0; nth < count; nth++) {
    const project = await addProject(service, COMMAND_LINE, { account: caller.account, name: `other ${nth}` })
    const other = { service, caller: { ...caller, projectId: project.id } }
    await fill(
      other,
      Array.from({ length: SMALL_PROJECT_RECORDS }, (_, at) => corpus.text(at)),
    )
    added.push(other)
  }
  return added
}

async function ask({ service, caller }: Pick<Opened, 'service' | 'caller'>, query: string): Promise<number> {
  const start = performance.now()
  await searchMemory(service, caller, { query })
  return performance.now() - start
}
