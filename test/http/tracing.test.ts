import { expect, onTestFinished, test } from 'bun:test'
import { openTestService } from '../start-service.ts'
import { startCollector } from './collector.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { name: string; traceId: string; parentSpanId?: string; status: { code?: number }; attributes: Attribute[] }

const spansOf = (bodies: string[]): Span[] =>
  bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans[0].scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans),
  )

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

test('where a collector is named, each request has a span, which continues the trace of its caller', async () => {
  const collector = startCollector()
  const { post, url, key, project, stop } = await openTestService({ config: { tracesEndpoint: collector.url } })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const params = { name: 'search', arguments: { query: 'anything' } }
  await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { traceparent })
  await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { traceparent: `${traceparent}-more` })
  await fetch(`${url}/healthz`)
  await stop()
  const [search, ping, healthz] = spansOf(collector.bodies)
  expect(collector.bodies.length).toBeGreaterThan(0)
  expect([search, ping, healthz].map((span) => span?.name)).toEqual(['tools/call search', 'ping', 'GET health'])
  expect(search).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' })
  expect(ping?.parentSpanId).toBeFalsy()
  expect(search && attributesOf(search)).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'memsvc.key': key.id,
    'memsvc.project': project.id,
    'memsvc.tool': 'search',
    'memsvc.outcome': 'refused',
  })
})

test('a collector that does not answer holds up nothing, and the log says so', async () => {
  const collector = startCollector(() => new Response('no', { status: 400 }))
  const { post, logged, stop } = await openTestService({ config: { tracesEndpoint: collector.url } })
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
  await stop()
  expect(logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'spans were not sent')).toHaveLength(1)
})

test('nothing is traced unless a collector is named', async () => {
  const { service, stop } = await openTestService()
  onTestFinished(stop)
  expect(service.tracing).toBeUndefined()
})
