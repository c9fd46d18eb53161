import { expect, test } from 'bun:test'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { toEntry } from '../../src/memory/search/index/index-entry.ts'
import { searchMemory } from '../../src/memory/search/search.ts'
import { countTurns } from '../count-turns.ts'
import { startTeam } from '../http/console/team.ts'

type Team = Awaited<ReturnType<typeof startTeam>>
type Made = { content: string; expiresAt?: number; audience?: string }

/** Saves many records, far quicker than through the tool; the first by the tool. */
async function fill({ call, memory }: Team, count: number, make: (at: number) => Made): Promise<void> {
  await call('remember', { content: 'the first note', source_id: 'talk' })
  const [made] = await memory.listRecords({ visible: undefined })
  if (made === undefined) throw new Error('nothing was saved')
  const { seq: _, ...rest } = made
  for (let at = 0; at < count; at += 500) {
    await memory.write(async (tx) => {
      for (let nth = at; nth < Math.min(count, at + 500); nth++) {
        const one = { ...rest, ...make(nth), id: crypto.randomUUID() }
        await tx.insertRecord({ ...one, entry: toEntry(one) })
      }
    })
  }
}

/** A made-up word of letters, another for each number; those of neighbouring numbers begin alike. */
const toWord = (at: number) =>
  `stre${(at * 7_919 + 26 ** 4).toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q')}`

test('others are served while words that nobody wrote are looked for among many thousand that begin alike', async () => {
  const team = await startTeam()
  await fill(team, 4_000, (at) => ({
    content: Array.from({ length: 10 }, (_, nth) => toWord(at * 10 + nth)).join(' '),
  }))
  const query = Array.from({ length: 8 }, (_, at) => `streqqqqzz${'abcdefgh'[at]}qq`).join(' ')
  const caller = await authenticate(team.service, `Bearer ${team.secret}`)
  const stop = countTurns()
  const { result } = await searchMemory(team.service, caller, { query })
  expect(stop()).toBeGreaterThan(1)
  expect(result).toEqual([])
})

test('a filter that leaves out everything ends after a bounded number of matches, and the hint says so', async () => {
  const team = await startTeam()
  const words = ['alder', 'birch', 'cedar']
  await fill(team, 21_000, (at) => ({ content: `${words[at % 3]} ${at}`, expiresAt: 1 }))
  const all = await team.call('search', { query: words.join(' '), exclude_stale: true })
  const advice = expect.stringMatching(/^Only the best matches were checked against the filters/)
  expect(all.structured).toMatchObject({ result: [], hint: { left_out: { stale: 50, other_scope: 0 }, advice } })
  const one = await team.call('search', { query: 'alder', exclude_stale: true })
  expect(one.structured).toMatchObject({ result: [], hint: { advice: 'Ask again without the filters.' } })
})

test('finds the next note of a source over any number of drafts that others saved between', async () => {
  const team = await startTeam()
  await fill(team, 400, () => ({ content: 'something else', audience: `a:${team.ben.member.id}` }))
  await team.call('remember', { content: 'the second note is of violins', source_id: 'talk' })
  await team.call('remember', { content: 'another note' })
  const { structured } = await team.call('search', { query: 'first violins' })
  const found = structured?.result as { content: string; score: number }[]
  expect(found.map(({ content }) => content).sort()).toEqual(['the first note', 'the second note is of violins'])
  expect(found.every(({ score }) => score > 0.5)).toBe(true)
})
