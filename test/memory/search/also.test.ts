import { expect, test } from 'bun:test'
import { actingAs } from '../../../src/account/auth/caller.ts'
import type { MemoryRecord } from '../../../src/memory/records/record.ts'
import { explainSearch } from '../../../src/memory/search/explain.ts'
import { startService } from '../../start-service.ts'

const LOST = 'Lost property goes to the porter at gate 3'
const BADGE = 'New badges are printed at the front desk'

async function startFilled(others = 0) {
  const service = await startService()
  await Promise.all(
    Array.from({ length: others }, (_, at) =>
      service.call('remember', { content: `filler note number ${at} of many` }),
    ),
  )
  for (const content of [LOST, BADGE]) await service.call('remember', { content })
  const search = async (args: Record<string, unknown>) =>
    (await service.call('search', args)).structured as {
      result: MemoryRecord[]
      hint?: { words_not_found?: string[]; advice?: string }
    }
  return { ...service, search }
}

for (const others of [0, 100]) {
  test(`a note is found by another wording of the question, beside ${others} others`, async () => {
    const { search } = await startFilled(others)
    const query = 'who has my jacket?'
    expect((await search({ query })).result).toEqual([])
    const { result, hint } = await search({ query, also: ['forgotten clothes', 'lost property'] })
    expect(result.map(({ content }) => content)).toEqual([LOST])
    expect(hint?.words_not_found).toEqual(['jacket'])
  })
}

test('a word of another wording is found in the language of the note, which is that of few', async () => {
  const { search, call } = await startFilled(25)
  const content = 'Les frais de repas en déplacement sont remboursés au forfait, sans justificatif pour le soir.'
  await call('remember', { content })
  expect((await search({ query: 'dinner', also: ['meal repas'] })).result.map(({ content }) => content)).toEqual([
    content,
  ])
})

test('a match of the query itself counts more than the same match of another wording, and both together more than one', async () => {
  const { search } = await startFilled()
  const scoreOf = async (args: Record<string, unknown>) =>
    (await search(args)).result.find(({ content }) => content === LOST)?.score ?? 0
  const alone = await scoreOf({ query: 'lost property' })
  const other = await scoreOf({ query: 'jacket', also: ['lost property'] })
  expect(other).toBeGreaterThan(0.3)
  expect(alone).toBeGreaterThan(other)
  const part = await scoreOf({ query: 'lost property tomorrow' })
  const both = await scoreOf({ query: 'lost property tomorrow', also: ['porter at the gate'] })
  expect(both).toBeGreaterThan(part)
  expect(both).toBeLessThan(1)
})

test('a wording that finds nothing changes no order, and empty ones count for nothing', async () => {
  const { search } = await startFilled()
  const { result } = await search({ query: 'badges front desk' })
  expect((await search({ query: 'badges front desk', also: ['', '  '] })).result).toEqual(result)
  expect((await search({ query: 'badges front desk', also: ['zebra crossing'] })).result).toEqual(result)
  expect((await search({ query: '*', also: ['badges'] })).result.map(({ content }) => content)).toEqual([BADGE, LOST])
})

test('other wordings are advised where nothing or only a weak match is found without them', async () => {
  const { search } = await startFilled()
  const adviceOf = async (args: Record<string, unknown>) => (await search(args)).hint?.advice
  expect(await adviceOf({ query: 'jacket' })).toEndWith('or give other wordings in also.')
  const weak = 'do the porters sell umbrellas and postcards?'
  expect(await adviceOf({ query: weak })).toBe('Weak match: ask in other words, with other wordings in also.')
  expect(await adviceOf({ query: weak, also: ['souvenirs'] })).toBeUndefined()
  expect(await adviceOf({ query: 'lost property' })).toBeUndefined()
  expect(await adviceOf({ query: '*' })).toBeUndefined()
})

test('says what is wrong with other wordings', async () => {
  const { call } = await startFilled()
  const errorOf = async (also: unknown) => (await call('search', { query: 'badges', also })).text
  expect(await errorOf(['a', 'b', 'c', 'd', 'e', 'f'])).toContain('also')
  expect(await errorOf(['a'.repeat(201)])).toContain('also')
  expect(await errorOf(['\uFDFA'.repeat(20)])).toContain('200 characters')
  expect(await errorOf('badge')).toContain('also')
})

test('an explained search names the wording that found a record', async () => {
  const { service, project, account } = await startFilled()
  const { result } = await explainSearch(service, actingAs(account, project, undefined), {
    query: 'badge jacket',
    also: ['lost property'],
  })
  expect(result.map(({ content, wording }) => [content, wording])).toEqual([
    [LOST, 'lost property'],
    [BADGE, 'badge jacket'],
  ])
})
