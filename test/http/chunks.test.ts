import { expect, onTestFinished, test } from 'bun:test'
import { toBody } from '../../src/http/chunks.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

async function* failing(): AsyncGenerator<string, void> {
  yield 'the first part'
  throw new Error('the disk does not answer')
}

test('a body that cannot be generated to its end breaks off for its client, and the log says why', async () => {
  const { service, logged } = await startService()
  let ended = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(toBody(service, failing(), () => ended++)),
  })
  onTestFinished(() => server.stop(true))
  const reading = fetch(server.url).then((response) => response.text())
  expect(await rejectionOf(reading)).toContain('closed')
  expect(ended).toBe(1)
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', event: 'an answer was broken off' }])
  expect(logged[0]).toContain('the disk does not answer')
})

test('the error of a body is logged, and not handed to the server, which would print it as it is', async () => {
  const { service } = await startService()
  const reader = toBody(service, failing()).getReader()
  await reader.read()
  const failure = await reader.read().then(
    () => 'read on',
    (error: unknown) => error,
  )
  expect(failure).toBeUndefined()
})

test('a client that leaves while the next part is made ends the body, and the log says nothing of it', async () => {
  const { service, logged } = await startService()
  const left = Promise.withResolvers<void>()
  const steps: string[] = []
  async function* waiting(): AsyncGenerator<string, void> {
    try {
      yield 'the first part'
      await left.promise
      yield 'the second part'
    } finally {
      steps.push('ended')
    }
  }
  const body = () =>
    toBody(service, waiting(), () => {
      steps.push('done')
      left.resolve()
    })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body()) })
  onTestFinished(() => server.stop(true))
  const leaving = new AbortController()
  const response = await fetch(server.url, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await waitUntil('the end of the body', () => steps.includes('ended'))
  expect(steps).toEqual(['done', 'ended'])
  expect(logged).toEqual([])
})
