import { expect, onTestFinished, test } from 'bun:test'
import { createUpstreamWorker } from '../../src/gateway/upstream-worker.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'
import { startUpstream } from './upstreams.ts'

const target = {
  connectionId: 1,
  accountId: 'a',
  url: 'http://127.0.0.1:1/',
  headers: {},
  timeoutMs: 1_000,
  maxBytes: 1_000,
  picked: null,
}

test('whoever waits for a thread that dies is told so, and the next question starts another', async () => {
  const logged: string[] = []
  const thread = createUpstreamWorker(
    new URL('./servers/dying-worker.ts', import.meta.url),
    [],
    (event) => void logged.push(event),
  )
  onTestFinished(thread.close)
  for (let time = 1; time <= 2; time++) {
    const error = await thread.list({ kind: 'list', target }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OutboundError)
    expect(error.code).toBe('broken')
    expect(logged).toEqual(Array(time).fill('the worker of upstreams died'))
  }
})

test('a call that was cancelled before it began never reaches its server', async () => {
  const upstream = startUpstream()
  const worker = new URL('../../src/gateway/worker/main.ts', import.meta.url)
  const thread = createUpstreamWorker(worker, ['127.0.0.1'], () => {})
  onTestFinished(thread.close)
  const call = (text: string, signal: AbortSignal) =>
    thread.call(
      {
        kind: 'call',
        tool: 'echo',
        args: JSON.stringify({ text }),
        schema: undefined,
        markField: 'mark',
        reportsProgress: false,
        target: { ...target, url: upstream.url, timeoutMs: 60_000, maxBytes: 1_000_000 },
      },
      signal,
    )
  await call('one', new AbortController().signal)
  const error = await call('two', AbortSignal.abort()).catch((thrown) => thrown)
  expect([error.code, await call('three', new AbortController().signal).then(() => 'done')]).toEqual([
    'cancelled',
    'done',
  ])
  expect(upstream.calls('tools/call').map(({ params }) => params.arguments)).toEqual([
    { text: 'one' },
    { text: 'three' },
  ])
})

test('a large result that was released before it was read to its end is broken off, not cut', async () => {
  const text = 'x'.repeat(1_000_000)
  const upstream = startUpstream({ 'tools/call': () => ({ content: [{ type: 'text', text }] }) })
  const worker = new URL('../../src/gateway/worker/main.ts', import.meta.url)
  const thread = createUpstreamWorker(worker, ['127.0.0.1'], () => {})
  onTestFinished(thread.close)
  const controller = new AbortController()
  const request = { kind: 'call' as const, tool: 'echo', args: '{}', schema: undefined, markField: 'mark' }
  const made = {
    ...request,
    reportsProgress: false,
    target: { ...target, url: upstream.url, timeoutMs: 60_000, maxBytes: 2_000_000 },
  }
  const { text: result } = await thread.call(made, controller.signal)
  if (typeof result === 'string') throw new Error('it was not large')
  expect((await result.read())?.length).toBeGreaterThan(0)
  controller.abort()
  const error = await result.read().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(OutboundError)
  expect(error.code).toBe('cancelled')
})
