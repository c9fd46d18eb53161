// How well search answers questions: imports notes by the command line into a new folder, serves it, asks through POST
// /mcp, and prints recall@5 (the mean share of a question's notes among the first five), the share of questions with at
// least one of them there, and the share of empty answers. Usage: bun bench/recall.ts NOTES QUESTIONS (NOTES: what
// `memsvc import` reads; QUESTIONS: JSON Lines of {query, relevant: [source_id, …]})
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { ask, startExecutable } from '../test/smoke/running.ts'

const MAIN = join(import.meta.dir, '../src/main.ts')
/** Results per question. */
const LIMIT = 5

type Question = { query: string; relevant: string[] }
type Answer = { structuredContent: { result: { source_id: string | null }[] } }

/** Runs one command and returns what it printed. Throws where it failed. */
function runCommand(folder: string, words: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, MAIN, ...words], {
    env: { SVC_DATA_DIR: folder },
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}

async function askAll(url: string, key: string, questions: Question[]): Promise<{ recall: number; empty: boolean }[]> {
  const outcomes: { recall: number; empty: boolean }[] = []
  for (const { query, relevant } of questions) {
    const answer = (await ask(url, key, 'tools/call', { name: 'search', arguments: { query, limit: LIMIT } })) as Answer
    const found = new Set(answer.structuredContent.result.map(({ source_id }) => source_id))
    const hits = relevant.filter((id) => found.has(id)).length
    outcomes.push({ recall: hits / relevant.length, empty: found.size === 0 })
  }
  return outcomes
}

const [notes, questionFile] = process.argv.slice(2)
if (notes === undefined || questionFile === undefined) throw new Error('usage: bun bench/recall.ts NOTES QUESTIONS')
const questions = (await Bun.file(questionFile).text())
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Question)

const folder = await mkdtemp(join(tmpdir(), 'memsvc-recall-'))
const started: Subprocess[] = []
try {
  const { url, stop } = await startExecutable([process.execPath, MAIN], folder, folder, started)
  const { saved } = JSON.parse(runCommand(folder, ['import', notes, '--project', 'default', '--json'])) as {
    saved: number
  }
  const { key } = JSON.parse(runCommand(folder, ['key', 'issue', '--project', 'default', '--json'])) as { key: string }
  const outcomes = await askAll(url, key, questions)
  await stop()
  const share = (of: (outcome: { recall: number; empty: boolean }) => number) =>
    (outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length).toFixed(3)
  console.log(`${saved} records, ${questions.length} questions`)
  console.log(`recall@${LIMIT}      ${share(({ recall }) => recall)}`)
  console.log(`any in first ${LIMIT} ${share(({ recall }) => (recall > 0 ? 1 : 0))}`)
  console.log(`empty answers ${share(({ empty }) => (empty ? 1 : 0))}`)
} finally {
  for (const child of started) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
}
