import { onTestFinished } from 'bun:test'
import { createServer, type Socket } from 'node:net'

/** What can go wrong between an agent and its service, and what only looks unusual. */
export const FAULTS = [
  'none',
  'cut before the answer',
  'cut within its head',
  'cut within its body',
  'reset',
  'cut after the answer',
  '401',
  '503',
  '429',
  'page',
  'slow',
  'pieces',
  'stream',
] as const
export type Fault = (typeof FAULTS)[number]

/** How long a slow answer takes. */
const SLOW_MS = 300
/** Cuts characters of UTF-8. */
const PIECE_BYTES = 61

type Handling = { fault: (body: string) => Fault; answer: (body: string) => string }

/**
 * An HTTP server on sockets of its own, for one test, so that it can break off where it wants to. `answer` gives the
 * service's answer.
 */
export async function startFaultyProxy(handling: Handling): Promise<{ url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    readRequests(socket, (body) => RESPONSES[handling.fault(body)](socket, () => handling.answer(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}` }
}

function readRequests(socket: Socket, onBody: (body: string) => void): void {
  let held = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data])
    for (let at = held.indexOf('\r\n\r\n'); at >= 0; at = held.indexOf('\r\n\r\n')) {
      const length = Number(/content-length: (\d+)/i.exec(held.subarray(0, at).toString())?.[1] ?? 0)
      if (held.length < at + 4 + length) return
      const body = held.subarray(at + 4, at + 4 + length).toString()
      held = held.subarray(at + 4 + length)
      onBody(body)
    }
  })
}

/** What the proxy does for each; `toText` has the service answer. */
const RESPONSES: Record<Fault, (socket: Socket, toText: () => string) => void> = {
  none: (socket, toText) => send(socket, '200 OK', 'application/json', toText()),
  'cut before the answer': (socket) => socket.destroy(),
  reset: (socket) => socket.resetAndDestroy(),
  'cut within its head': (socket, toText) => socket.end(toHead('200 OK', 'application/json', toText()).slice(0, 30)),
  'cut within its body': (socket, toText) => {
    const text = toText()
    socket.end(toHead('200 OK', 'application/json', text) + text.slice(0, text.length / 2))
  },
  'cut after the answer': (socket, toText) => {
    send(socket, '200 OK', 'application/json', toText())
    socket.end()
  },
  '401': (socket) => send(socket, '401 Unauthorized', 'application/json', '{"error":"unauthorized"}'),
  '503': (socket) => send(socket, '503 Service Unavailable', 'text/plain', 'busy', 'Retry-After: 0\r\n'),
  '429': (socket) => send(socket, '429 Too Many Requests', 'application/json', TOO_MANY, 'Retry-After: 0\r\n'),
  page: (socket) => send(socket, '200 OK', 'text/html', '<html>Log in to the network</html>'),
  slow: (socket, toText) => void setTimeout(() => send(socket, '200 OK', 'application/json', toText()), SLOW_MS),
  pieces: (socket, toText) => sendInPieces(socket, 'application/json', toText()),
  stream: (socket, toText) =>
    sendInPieces(socket, 'text/event-stream', `: hello\n\ndata: ${PROGRESS}\n\nevent: message\ndata: ${toText()}\n\n`),
}

export const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"é👩‍👧","progress":1}}'
const TOO_MANY = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Too Many Requests"}}'

function toHead(status: string, type: string, text: string, headers = ''): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n`
}

function send(socket: Socket, status: string, type: string, text: string, headers = ''): void {
  socket.write(toHead(status, type, text, headers) + text)
}

function sendInPieces(socket: Socket, type: string, text: string): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES)
    socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
  }
  socket.write('0\r\n\r\n')
}
