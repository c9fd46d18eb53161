import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

const THINGS = [
  'backup',
  'invoice',
  'release',
  'staging',
  'password',
  'meeting',
  'server',
  'contract',
  'holiday',
  'parser',
]
const VERBS = ['moves', 'breaks', 'waits', 'ends', 'starts', 'grows', 'closes']
const noteOf = (at: number) =>
  `The ${THINGS[at % 10]} ${VERBS[at % 7]} after the ${THINGS[(at * 3 + 1) % 10]} number ${at}`
/** Each with the number of records that answer it, 20 at most. */
const QUESTIONS: [string, number][] = [
  ['when does the backup break?', 20],
  ['invoice', 16],
  ['staging starts after release', 20],
  ['pasword meeting number 14', 20],
  ['the', 20],
]

test('a few visible records among many hidden ones are found as if they were alone', async () => {
  const { org, as } = await startService()
  const { ana, ben } = await org.addMembers({ ana: {}, ben: {} })
  const alone = await org.addProject('alone')
  const [among, apart, other] = [as(await org.keyOf(ana)), as(await org.keyOf(ana, alone)), as(await org.keyOf(ben))]
  for (let at = 0; at < 80; at++) {
    for (let of = 0; of < 9; of++)
      await other.call('remember', { content: `${noteOf(at * 9 + of)} of Ben`, scope: 'draft' })
    for (const one of [among, apart]) await one.call('remember', { content: noteOf(at), scope: 'draft' })
  }
  for (const [query, count] of QUESTIONS) {
    const answer = async (one: typeof among) => {
      const { structured = {} } = await one.call('search', { query, limit: 20 })
      return (structured.result as { content: string; score: number }[]).map(({ content, score }) => ({
        content,
        score,
      }))
    }
    const found = await answer(among)
    expect(found).toHaveLength(count)
    expect(found).toEqual(await answer(apart))
  }
})
