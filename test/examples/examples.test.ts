import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { importRecords } from '../../src/memory/transfer/import-records.ts'
import { readJsonLines } from '../../src/memory/transfer/read-json-lines.ts'
import { startService } from '../start-service.ts'

const EXAMPLES = join(import.meta.dir, '../../examples')

type Question = { query: string; relevant: string[] }

test('the example notes answer the example questions, the right one among the first five', async () => {
  const { service, project, call } = await startService()
  const refused: string[] = []
  const watch = { refused: (where: string) => refused.push(where), progress: () => {}, isStopped: () => false }
  const { saved } = await importRecords(service, COMMAND_LINE, {
    projectId: project.id,
    workspace: undefined,
    member: undefined,
    items: readJsonLines(Bun.file(join(EXAMPLES, 'team.jsonl')).stream()),
    watch,
  })
  expect({ saved, refused }).toEqual({ saved: 40, refused: [] })

  const questions = (await Bun.file(join(EXAMPLES, 'questions.jsonl')).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Question)
  const missed: string[] = []
  for (const { query, relevant } of questions) {
    const { structured } = await call('search', { query, limit: 5 })
    const found = ((structured?.result ?? []) as { source_id: string }[]).map(({ source_id }) => source_id)
    if (!relevant.every((id) => found.includes(id))) missed.push(query)
  }
  expect(missed).toEqual([])
})
