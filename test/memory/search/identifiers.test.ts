import { expect, test } from 'bun:test'
import { startService } from '../../start-service.ts'

type Answer = { result: { content: string; score: number }[]; hint?: { words_not_found?: string[] } }

/** Enough other records that the index is asked and not only memory. */
const MANY = 80

for (const size of [0, MANY]) {
  const beside = `beside ${size} others`

  async function start(contents: string[]) {
    const { call } = await startService()
    const fillers = Array.from({ length: size }, (_, at) => `filler entry ${at} of many`)
    for (const content of [...contents, ...fillers]) expect((await call('remember', { content })).isError).toBeFalsy()
    return async (query: string) => (await call('search', { query })).structured as Answer
  }

  test(`an identifier that is nowhere scores little by its parts, and is named whole, ${beside}`, async () => {
    const ask = await start([
      'the import of 88723d9f-d5a2-4e01-8c6f-953a6deccdb0 was stopped',
      'see bf317b64-4e09-4159-a950-45d7aba6a9ce for the second one',
      'mail jana.novak@acme.example before Friday',
    ])
    for (const absent of ['51b0aa2e-d5a2-4c77-9f21-0e6cbd1f6a12', 'host.novak@hooli.test']) {
      const { result, hint } = await ask(`What do we have on ${absent}?`)
      expect(result).toHaveLength(1)
      expect(result[0]?.score).toBeLessThan(0.1)
      expect(hint?.words_not_found).toEqual([absent])
    }
  })

  test(`a part of an identifier finds the one that has its names in this order, ${beside}`, async () => {
    const ask = await start([
      'cache::Order::export() is slow',
      'order::Cache::export() is slow',
      'we export the order of a cache',
    ])
    expect((await ask('Cache::export')).result[0]?.content).toStartWith('order::Cache::export()')
    expect((await ask('Order::export')).result[0]?.content).toStartWith('cache::Order::export()')
  })

  test(`a joined spelling weighs as much as the parts that the record spells apart, ${beside}`, async () => {
    const ask = await start(['maxretrycount is five', 'a retry is counted, and the max is five'])
    expect((await ask('max_retry_count')).result[0]?.content).toBe('maxretrycount is five')
  })

  test(`an address finds its own record before one that has it as a part of another, ${beside}`, async () => {
    const ask = await start([
      'for billing ask jana@acme.example first',
      'for shipping ask jana.meyer@acme.example first',
    ])
    expect((await ask('jana@acme.example')).result[0]?.content).toStartWith('for billing')
  })

  test(`questions in Chinese and Japanese find by the identifier within, ${beside}`, async () => {
    const ask = await start([
      'reportsの設定は再起動が必要です。',
      '请在部署前检查payment_gateway_v2的设置',
      'restart dee76fc by hand',
    ])
    expect((await ask('payment_gateway_v2は何ですか')).result[0]?.content).toStartWith('请在部署前')
    expect((await ask('dee76fcは何ですか')).result[0]?.content).toBe('restart dee76fc by hand')
    expect((await ask('dee76fc是什么？')).result[0]?.content).toBe('restart dee76fc by hand')
  })

  test(`a UUID alone finds the record of this id, else those whose text has all of it, else nothing, ${beside}`, async () => {
    const [whole, inside, absent] = [
      '88723d9f-d5a2-4e01-8c6f-953a6deccdb0',
      'deadbeef-dead-beef-cafe-deadbeefcafe',
      '51b0aa2e-d5a2-4e01-8c6f-953a6decc001',
    ]
    const ask = await start([
      `the import of ${whole.toUpperCase()} was stopped`,
      `see https://hub.example/orders/${whole}/lines`,
      `run order-${inside} again`,
      'the door code is d5a2-4e01, and 953a6deccdb0 is the alarm',
      'deadbeef is food for the cafe of the dead',
      'f5a7e1f0 has d5a2 and 4e01 and 8c6f',
    ])
    const found = async (query: string) => (await ask(query)).result.map(({ content }) => content)
    expect((await found(whole)).toSorted()).toEqual([
      `see https://hub.example/orders/${whole}/lines`,
      `the import of ${whole.toUpperCase()} was stopped`,
    ])
    expect(await found(`\`${inside}\``)).toEqual([`run order-${inside} again`])
    const { result, hint } = await ask(absent)
    expect([result, hint?.words_not_found]).toEqual([[], [absent]])
  })
}

test('a query that is the id of a record finds it alone, not those that mention it', async () => {
  const { call } = await startService()
  const saved = (await call('remember', { content: 'Releases go out on Tuesdays' })).structured as {
    result: { id: string }
  }
  const { id } = saved.result
  await call('remember', { content: `The record ${id} is about releases` })
  const find = async (query: string) =>
    ((await call('search', { query })).structured as Answer).result.map(({ content }) => content)
  expect(await find(id)).toEqual(['Releases go out on Tuesdays'])
  await call('forget', { id })
  expect(await find(id.toUpperCase())).toEqual([`The record ${id} is about releases`])
})
