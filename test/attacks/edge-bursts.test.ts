import { expect, onTestFinished, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { readBody } from '../../src/http/body.ts'
import { countTurns } from '../count-turns.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const SENT_REQUESTS = 20_000
const CONNECTIONS = 1_000

test('a connection with very many requests one behind the other is closed, and others are served', async () => {
  const { url } = await startService()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let [text, isClosed] = ['', false]
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(REQUEST.repeat(SENT_REQUESTS))
  await waitUntil('the end of the connection', () => isClosed)
  expect(text.split('HTTP/1.1 ').length - 1).toBeLessThan(SENT_REQUESTS)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('very many connections with one request each at the same time are all answered', async () => {
  const { url } = await startService()
  const { hostname, port } = new URL(url)
  const ask = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('data', (data) => resolve(`${data}`.slice(0, 12)))
    socket.on('error', reject)
    await once(socket, 'connect')
    return { send: () => socket.write(REQUEST), answer: promise }
  }
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  for (const { send } of connections) send()
  const answers = await Promise.all(connections.map(({ answer }) => answer))
  expect([...new Set(answers)]).toEqual(['HTTP/1.1 200'])
})

test('others are served while a body of very many chunks is put together that are all there', async () => {
  const [chunks, chunk] = [500_000, new TextEncoder().encode('x')]
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(chunk)
      sent += 1
      if (sent === chunks) controller.close()
    },
  })
  const stop = countTurns()
  const text = await readBody(new Request('http://localhost', { method: 'POST', body }), chunks)
  expect(stop()).toBeGreaterThan(3)
  expect(text).toHaveLength(chunks)
})
