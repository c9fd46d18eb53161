import { searchMemory } from '../src/memory/search/search.ts'
import { createDataset, type Question } from './identifiers/dataset.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

// Search by identifiers: `bun bench/identifiers.ts [--seed 1] [--failures]`. Prints, for each kind of identifier and
// way of naming it, how often the right note came first; for identifiers that are nowhere, the mean and the highest
// score of what was found, and how often the hint named them.

const seed = Number(process.argv[process.argv.indexOf('--seed') + 1]) || 1
const isVerbose = process.argv.includes('--failures')
const { notes, questions } = createDataset(seed)
const opened = await openBenchService()
const numbers = new Map<string, number>()
for (const [at, content] of notes.entries()) numbers.set(await keep(opened, { content }), at)

type Outcome = Question & { isFirst: boolean; rank: number; score: number; isNamed: boolean }

const outcomes: Outcome[] = []
for (const question of questions) outcomes.push(await ask(question))
await opened.close()
print()

async function ask(question: Question): Promise<Outcome> {
  const { result, hint } = await searchMemory(opened.service, opened.caller, { query: question.text, limit: 10 })
  const found = result.map(({ id }) => numbers.get(id) ?? -1)
  const rank = 1 + found.findIndex((number) => question.answers.includes(number))
  const score = result[0]?.score ?? 0
  const isNamed = (hint?.words_not_found ?? []).length > 0
  const outcome = { ...question, isFirst: rank === 1, rank, score, isNamed }
  const isBad = question.answers.length > 0 ? rank !== 1 : score > 0.1 || !isNamed
  if (isVerbose && isBad)
    console.log(
      question.kind,
      '|',
      question.variant,
      '|',
      question.text,
      '|',
      rank,
      score.toFixed(2),
      JSON.stringify(hint?.words_not_found),
      '|',
      result[0]?.content,
      '|',
      notes[question.answers[0] ?? -1],
    )
  return outcome
}

function print(): void {
  const found = ['whole', 'mixed', 'part', 'respelled', 'mistyped'] as const
  const kinds = [...new Set(outcomes.map(({ kind }) => kind)), 'all']
  console.log(`${notes.length} notes, ${questions.length} questions; right note first (mean reciprocal rank)`)
  console.log(
    ['kind'.padEnd(14), ...found.map((name) => name.padEnd(13)), 'near nowhere: score, highest, named', 'nowhere'].join(
      ' ',
    ),
  )
  for (const kind of kinds) {
    const of = (variant: string) =>
      outcomes.filter((one) => (kind === 'all' || one.kind === kind) && one.variant === variant)
    const cells = found.map((variant) => cell(of(variant)).padEnd(13))
    console.log([kind.padEnd(14), ...cells, nowhere(of('near nowhere')).padEnd(35), nowhere(of('nowhere'))].join(' '))
  }
}

function cell(some: Outcome[]): string {
  if (some.length === 0) return ''
  return `${mean(some.map(({ isFirst }) => Number(isFirst))).toFixed(2)} (${mean(some.map(({ rank }) => (rank === 0 ? 0 : 1 / rank))).toFixed(2)})`
}

function nowhere(some: Outcome[]): string {
  const scores = some.map(({ score }) => score)
  return `${mean(scores).toFixed(2)} ${Math.max(...scores).toFixed(2)} ${mean(some.map(({ isNamed }) => Number(isNamed))).toFixed(2)}`
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
