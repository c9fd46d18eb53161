import { connect } from 'node:net'

// Another account's `ping`, asked every few milliseconds over one connection: `bun bench/stall/pinger.ts HOST PORT
// OWN_ADDRESS KEY`. A process of its own, so that what the load generator is busy with does not count. Each line on
// standard input is answered with the waits since the last.

const [host, port, ownAddress, key] = process.argv.slice(2)
/** Between two pings, in milliseconds. */
const INTERVAL_MS = 3

/** Waits in milliseconds; `pings` were sent, of which `refused` were answered with another status than 200. */
export type Waits = { pings: number; refused: number; p50: number; p99: number; max: number }

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const request = [
  'POST /mcp HTTP/1.1',
  `Host: ${host}:${port}`,
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

let waits: number[] = []
let refused = 0
let take: (() => void) | undefined

process.stdin.on('data', () => {
  take = report
})
process.stdin.on('end', () => process.exit())
while (true) await pingUntilClosed()

/** Pings over one connection; the service may close it. */
async function pingUntilClosed(): Promise<void> {
  const socket = connect({ host, port: Number(port), localAddress: ownAddress, noDelay: true })
  let answered: (() => void) | undefined
  let isOpen = true
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
    if (isWhole(received)) answered?.()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isOpen = false
    answered?.()
  })
  while (isOpen) {
    received = ''
    const start = performance.now()
    const answer = new Promise<void>((resolve) => {
      answered = resolve
    })
    socket.write(request)
    await answer
    waits.push(performance.now() - start)
    if (!received.startsWith('HTTP/1.1 200')) refused += 1
    take?.()
    await Bun.sleep(INTERVAL_MS)
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
  return end !== -1 && text.length >= end + 4 + length
}

function report(): void {
  take = undefined
  const sorted = spread(waits).sort((a, b) => a - b)
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  const said: Waits = { pings: waits.length, refused, p50: share(0.5), p99: share(0.99), max: share(1) }
  waits = []
  refused = 0
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

/** While one ping waits, no other is sent: those that would have been are counted with the rest of its wait. */
function spread(measured: number[]): number[] {
  return measured.flatMap((wait) =>
    Array.from({ length: Math.max(1, Math.floor(wait / INTERVAL_MS)) }, (_, nth) => wait - nth * INTERVAL_MS),
  )
}
