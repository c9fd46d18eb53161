import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'

type Line = Record<string, unknown>

const withAccessLines = { config: { log: { level: 'info' as const, requests: true } } }

const linesOf = (logged: string[], event: string) =>
  logged.map((line) => JSON.parse(line) as Line).filter((line) => line.event === event)

test('where it is asked for, each request has a line with what was called, by whom and what became of it', async () => {
  const { post, call, url, logged, project, key } = await startService(withAccessLines)
  await call('search', { query: 'anything' })
  await call('remember', { content: '' })
  await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'made_up_by_a_caller' } })
  await post({ jsonrpc: '2.0', id: 2, method: 'made/up' })
  await fetch(`${url}/mcp`, { method: 'POST', headers: { authorization: 'Bearer svc_nobodys' } })
  await fetch(`${url}/healthz?q=1`)
  const lines = linesOf(logged, 'request')
  const line = { level: 'info', event: 'request', http: 'POST', path: '/mcp', client: '127.0.0.1' }
  const ofKey = { ...line, status: 200, key: key.id, project: project.id, account: project.accountId }
  const refused = { ...ofKey, method: 'tools/call', outcome: 'refused' }
  expect(lines.map(({ at, request_id, ms, ...rest }) => rest)).toEqual([
    { ...refused, tool: 'search', refusal: 'not_found' },
    { ...refused, tool: 'remember', refusal: 'other' },
    { ...refused, tool: 'unknown', refusal: 'unknown_tool' },
    ofKey,
    { ...line, status: 401 },
    { ...line, http: 'GET', path: '/healthz', status: 200 },
  ])
  expect(new Set(lines.map(({ request_id }) => request_id)).size).toBe(lines.length)
  expect(lines.every(({ ms }) => typeof ms === 'number')).toBe(true)
})

test('no request has a line unless it is asked for', async () => {
  const { call, logged } = await startService()
  await call('search', { query: 'anything' })
  expect(linesOf(logged, 'request')).toEqual([])
})

test('lines of requests are never held back, and come whatever the level', async () => {
  const { url, logged } = await startService({ config: { log: { level: 'error', requests: true } } })
  for (let time = 0; time < 70; time++) await fetch(`${url}/healthz`)
  expect(linesOf(logged, 'request')).toHaveLength(70)
})

test('every line that a request causes carries its id, which is the one that the caller is told', async () => {
  const { service, post, logged, key } = await startService(withAccessLines)
  const { store } = service
  service.store = {
    ...store,
    project: () => {
      throw new TypeError('broken')
    },
  }
  const { body } = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'x' } },
  })
  service.store = store
  const [fault] = linesOf(logged, 'internal error')
  const [line] = linesOf(logged, 'request')
  expect(fault).toMatchObject({ level: 'error', error: expect.stringContaining('TypeError: broken') })
  expect(line).toMatchObject({ key: key.id, outcome: 'failed', request_id: fault?.request_id })
  expect(body?.error?.message).toBe(`Internal error (request ${fault?.request_id})`)
})
