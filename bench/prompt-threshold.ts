// Which matches the hook `user-prompt` may tell: of each set, every other question loses the records that answer it, and stands for a prompt whose answer is not there.
// Prints, for several rules and the one in use, how many of those get any record, and how many of the others get one that answers them.
// Usage: bun bench/prompt-threshold.ts FOLDER   (FOLDER: files {projects: [{docs: [{id, text, src}], queries: [{text, rel: {id: 1, …}}]}]})
import { join } from 'node:path'
import { chooseForPrompt, MAX_TOLD_RECORDS, PROMPT_RULE, type PromptRule } from '../src/agent/hooks/events.ts'
import createSearcher from './quality.ts'

type Doc = { id: string; text: string; src?: string }
/** `rel` has the ids of the records that answer it as keys. */
type Question = { text: string; rel: Record<string, number> }
type Project = { docs: Doc[]; queries: Question[] }
/** The best records of one question, and whether each answers it; of a question without an answer, none does. */
type Asked = { isAnswerable: boolean; best: { score: number; answers: boolean }[] }

/** A set is cut to so many records and questions. */
const MAX_DOCS = 1_500
const MAX_QUESTIONS = 200
const RULES = [0.7, 0.75, 0.8, 0.85].flatMap((minScore) => [0, 0.1, 0.2, 0.3].map((minLead) => ({ minScore, minLead })))

const idsOf = ({ rel }: Question) => Object.keys(rel)

async function askProject({ docs, queries }: Project): Promise<Asked[]> {
  const kept = new Set(docs.slice(0, MAX_DOCS).map(({ id }) => id))
  const questions = queries.filter((question) => idsOf(question).every((id) => kept.has(id))).slice(0, MAX_QUESTIONS)
  const gone = new Set(questions.filter((_, at) => at % 2 === 1).flatMap(idsOf))
  const searcher = await createSearcher()
  try {
    await searcher.add(docs.filter(({ id }) => kept.has(id) && !gone.has(id)))
    const asked: Asked[] = []
    for (const [at, question] of questions.entries()) {
      const relevant = new Set(idsOf(question))
      const isAnswerable = at % 2 === 0
      if (isAnswerable && [...relevant].some((id) => gone.has(id))) continue
      const found = await searcher.search(question.text, MAX_TOLD_RECORDS + 1)
      asked.push({ isAnswerable, best: found.map(({ id, score }) => ({ score, answers: relevant.has(id) })) })
    }
    return asked
  } finally {
    await searcher.close()
  }
}

const share = (all: Asked[], holds: (asked: Asked) => boolean) => all.filter(holds).length / Math.max(all.length, 1)

/** Shares of the questions without an answer that get a record, and of the others that get one that answers them. */
function toShares(asked: Asked[], rule: PromptRule): [number, number] {
  const [open, answerable] = [asked.filter(({ isAnswerable }) => !isAnswerable), asked.filter(({ isAnswerable }) => isAnswerable)]
  return [
    share(open, ({ best }) => chooseForPrompt(best, rule).length > 0),
    share(answerable, ({ best }) => chooseForPrompt(best, rule).some(({ answers }) => answers)),
  ]
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/prompt-threshold.ts FOLDER')
const sets: { name: string; asked: Asked[] }[] = []
for (const name of [...new Bun.Glob('*.json').scanSync(folder)].sort()) {
  const { projects } = (await Bun.file(join(folder, name)).json()) as { projects: Project[] }
  const [project] = projects
  if (project !== undefined) sets.push({ name: name.replace('.json', ''), asked: await askProject(project) })
}
console.log('score  lead   without an answer  with one   (means of the sets)')
for (const rule of RULES) {
  const shares = sets.map(({ asked }) => toShares(asked, rule))
  const [open, answered] = [0, 1].map((column) => shares.reduce((sum, pair) => sum + (pair[column] ?? 0), 0) / sets.length)
  console.log(`${rule.minScore.toFixed(2)}   ${rule.minLead.toFixed(2)}   ${open?.toFixed(3)}              ${answered?.toFixed(3)}`)
}
console.log(`in use: ${JSON.stringify(PROMPT_RULE)}`)
for (const { name, asked } of sets)
  console.log(
    `${name.padEnd(18)} ${toShares(asked, PROMPT_RULE)
      .map((one) => one.toFixed(3))
      .join('  ')}`,
  )
