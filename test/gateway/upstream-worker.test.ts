import { expect, onTestFinished, test } from 'bun:test'
import { OutboundError } from '../../src/errors.ts'
import { createUpstreamWorker } from '../../src/gateway/upstream-worker.ts'

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
