import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'
import { headersFor, toStateless } from './stateless-message.ts'

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

test('offers the prompts recall and remember, each with its argument, in both eras', async () => {
  const { post } = await startService()
  const { body } = await post(message('prompts/list'))
  expect(body?.result?.prompts).toMatchObject([
    { name: 'recall', title: expect.any(String), arguments: [{ name: 'topic', required: true }] },
    { name: 'remember', title: expect.any(String), arguments: [{ name: 'about', required: false }] },
  ])
  const stateless = await post(toStateless('prompts/list'), headersFor('prompts/list'))
  expect(stateless.body?.result).toMatchObject({
    ...body?.result,
    resultType: 'complete',
    ttlMs: 60_000,
    cacheScope: 'private',
  })
})

test('says that it has prompts, and promises no notification', async () => {
  const { post } = await startService()
  const { body } = await post(message('initialize', { protocolVersion: '2025-11-25' }))
  expect(body?.result?.capabilities).toEqual({ tools: {}, prompts: {} })
})

test('gives the text of a prompt with what the person typed', async () => {
  const { post } = await startService()
  const recall = await post(message('prompts/get', { name: 'recall', arguments: { topic: 'the release day' } }))
  expect(recall.body?.result).toMatchObject({
    messages: [
      {
        role: 'user',
        content: { type: 'text', text: expect.stringMatching(/the release day[\s\S]*tool search, workspace "\*"/) },
      },
    ],
  })
  for (const given of [undefined, {}, { about: null }, { about: 'the release' }]) {
    const { body } = await post(message('prompts/get', { name: 'remember', arguments: given }))
    const text = JSON.stringify(body?.result?.messages)
    expect(text).toContain('tool remember once for each fact')
    expect(text).toContain('workspace: leave it out, unless a person chose one for this folder')
    expect(text.includes('the release')).toBe(given?.about === 'the release')
  }
  const params = { name: 'recall', arguments: { topic: 'the release day' } }
  const stateless = await post(toStateless('prompts/get', params), headersFor('prompts/get', 'recall'))
  expect(stateless.body?.result?.messages).toEqual(recall.body?.result?.messages)
  expect(await post(toStateless('prompts/get', params), headersFor('prompts/get', 'remember'))).toMatchObject({
    status: 400,
  })
})

test.each([
  [{ name: 'forget' }, 'Unknown prompt: forget'],
  [{ name: '__proto__' }, 'Unknown prompt: __proto__'],
  [{}, 'Invalid params: name must be a string'],
  [{ name: 'recall' }, 'Invalid params: topic is required'],
  [{ name: 'recall', arguments: { topic: ' ' } }, 'Invalid params: topic is required'],
  [{ name: 'recall', arguments: { topic: 7 } }, 'Invalid params: topic must be a string'],
  [
    { name: 'recall', arguments: { topic: 'x'.repeat(1_001) } },
    'Invalid params: topic must be at most 1000 characters',
  ],
  [{ name: 'recall', arguments: { about: 'x' } }, 'Invalid params: about is not an argument; there is topic'],
  [{ name: 'recall', arguments: [] }, 'Invalid params: arguments must be an object'],
])('refuses %j', async (params, text) => {
  const { post } = await startService()
  const { status, body } = await post(message('prompts/get', params))
  expect([status, body?.error]).toEqual([200, { code: -32602, message: text }])
})
