import { expect, onTestFinished, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { openStartedCli } from '../run-cli.ts'
import { startExecutable } from '../smoke/running.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const HEAD =
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'

/** A connection that speaks plain HTTP, and what it has read. */
async function openSocket(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const read = { text: '', ended: false }
  socket.on('data', (data) => {
    read.text += data
  })
  socket.on('error', (error) => {
    read.text += `[${error.message}]`
  })
  socket.on('close', () => {
    read.ended = true
  })
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return { socket, read }
}

/** The service as a process of its own, with connections that speak plain HTTP. */
async function startProcess() {
  const { folder, secret } = await openStartedCli()
  const started: Subprocess[] = []
  const { url, stop } = await startExecutable([process.execPath, MAIN], folder, folder, started)
  const open = () => openSocket(url)
  const post = (socket: Socket, body: string) =>
    socket.write(`${HEAD}Authorization: Bearer ${secret}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  /** Status of the health page. What was written to the process before has arrived once it answers. */
  const requestHealth = async () => (await fetch(url.replace(/mcp$/, 'healthz'))).status
  return { open, post, stop, process: started[0], requestHealth, secret }
}

const SEARCH = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'build' } },
})

test('while it stops, what had arrived is answered, a request on a kept connection is refused, and both connections are closed', async () => {
  const { open, stop, post, requestHealth, secret } = await startProcess()
  const [begun, kept] = [await open(), await open()]
  post(kept.socket, SEARCH)
  await waitUntil('the first answer', () => kept.read.text.includes('"result"'))
  begun.socket.write(
    `${HEAD}Authorization: Bearer ${secret}\r\nContent-Length: ${SEARCH.length}\r\n\r\n${SEARCH.slice(0, 20)}`,
  )
  await requestHealth()
  const stopped = stop()
  await waitUntil('requests are refused', async () => (await requestHealth()) === 503)
  begun.socket.write(SEARCH.slice(20))
  post(kept.socket, SEARCH)
  expect(await stopped).toBe(0)
  await waitUntil('the ends of both connections', () => begun.read.ended && kept.read.ended)
  expect(begun.read.text).toStartWith('HTTP/1.1 200 OK')
  const [, second = ''] = kept.read.text.split(/(?=HTTP\/1\.1 503)/)
  expect(second.toLowerCase()).toContain('connection: close')
})

test('a body that never ends does not hold it for longer than it waits', async () => {
  const { open, stop, requestHealth, secret } = await startProcess()
  const { socket, read } = await open()
  socket.write(`${HEAD}Authorization: Bearer ${secret}\r\nContent-Length: 1000\r\n\r\n{`)
  await requestHealth()
  expect(await stop()).toBe(0)
  await waitUntil('the end of the connection', () => read.ended)
})

test('neither the end of its terminal ends it nor a signal to open logs anew', async () => {
  const { process: running, requestHealth, stop } = await startProcess()
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) running?.kill(signal)
  expect(await requestHealth()).toBe(200)
  expect(await stop()).toBe(0)
})

test('a call that is cut off at the end, whose data is closed by then, leaves no line in the log', async () => {
  const { service, url, secret, logged, pendingRequests } = await startService()
  const { socket, read } = await openSocket(url)
  socket.write(
    `${HEAD}Authorization: Bearer ${secret}\r\nContent-Length: ${SEARCH.length}\r\n\r\n${SEARCH.slice(0, 20)}`,
  )
  await waitUntil('the request', () => pendingRequests() === 1)
  await service.close()
  socket.write(SEARCH.slice(20))
  await waitUntil('the answer', () => read.text.includes('the service is stopping; try again'))
  expect(logged.filter((line) => line.includes('internal error'))).toEqual([])
})
