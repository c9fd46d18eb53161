// How well a note is found by other words than its own: the notes of bench/wordings, with other texts around them,
// asked for by each question alone, by the words that an assistant would search with, and by these with other wordings
// beside them (`also`); saved without and with other phrases (`asked_as`). Usage: bun bench/wordings.ts OTHERS [FOLDER]
// (OTHERS: JSON Lines with `content`, or a set of projects with `docs`; its first 5 000 texts are saved, too)
import { searchMemory } from '../src/memory/search/search.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'
import { KINDS, type Note, type Question, type Rank, readLines, readSet, toShares } from './wordings/set.ts'

const OTHERS = 5_000
const LIMIT = 5

type Asked = { query: string; also?: string[] }
type Outcome = Rank & { score: number }

const WAYS: Record<string, (question: Question) => Asked> = {
  'question alone': ({ question }) => ({ query: question }),
  'words of an assistant': ({ question, query = question }) => ({ query }),
  'words and other wordings': ({ question, query = question, also = [] }) => ({ query, also }),
  'question and other wordings': ({ question, also = [] }) => ({ query: question, also }),
}

async function readOthers(path: string): Promise<string[]> {
  if (path.endsWith('.jsonl')) return (await readLines<{ content: string }>(path)).map(({ content }) => content)
  const { projects } = (await Bun.file(path).json()) as { projects: { docs: { text: string }[] }[] }
  return projects.flatMap(({ docs }) => docs.map(({ text }) => text))
}

function report(way: string, outcomes: Outcome[]): void {
  const median = (of: Outcome[]) =>
    of
      .map(({ score }) => score)
      .sort((a, b) => a - b)
      [of.length >> 1]?.toFixed(2)
  const answered = outcomes.filter(({ kind }) => KINDS.includes(kind))
  const unanswered = outcomes.filter(({ kind }) => kind === 'unanswered')
  console.log(`| ${way} | ${toShares(outcomes, LIMIT).join(' | ')} | ${median(answered)} | ${median(unanswered)} |`)
}

/** Asks for the notes, saved with their phrases or without them. */
async function run(others: string[], notes: Note[], questions: Question[], withPhrases: boolean): Promise<void> {
  const opened = await openBenchService()
  const ids = new Map<string, string>()
  for (const content of others) await keep(opened, { content })
  for (const { id, text, asked_as } of notes)
    ids.set(await keep(opened, { content: text, ...(withPhrases && asked_as && { asked_as }) }), id)
  for (const [way, toAsked] of Object.entries(WAYS)) {
    const outcomes: Outcome[] = []
    for (const question of questions) {
      const { result } = await searchMemory(opened.service, opened.caller, { ...toAsked(question), limit: LIMIT })
      const at = result.findIndex(({ id }) => ids.get(id) === question.note)
      outcomes.push({ kind: question.kind, rank: at < 0 ? Number.POSITIVE_INFINITY : at, score: result[0]?.score ?? 0 })
    }
    report(`${way}${withPhrases ? ', asked_as' : ''}`, outcomes)
  }
  await opened.close()
}

const [file, folder] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: bun bench/wordings.ts OTHERS [FOLDER]')
const others = (await readOthers(file)).slice(0, OTHERS)
const { notes, questions } = await readSet(folder)
console.log(
  '| asked by (first / first five) | same words | partly | no shared word | all | best score, median | without an answer |',
)
console.log('|---|---|---|---|---|---|---|')
for (const withPhrases of [false, true]) await run(others, notes, questions, withPhrases)
