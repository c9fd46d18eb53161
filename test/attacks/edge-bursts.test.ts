import { expect, onTestFinished, test } from 'bun:test'
import { connect } from 'node:net'
import { readBody } from '../../src/http/body.ts'
import { countTurns } from '../count-turns.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const SENT_REQUESTS = 20_000

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
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(SENT_REQUESTS))
  await waitUntil('the end of the connection', () => isClosed)
  expect(text.split('HTTP/1.1 ').length - 1).toBeLessThan(SENT_REQUESTS)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
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
