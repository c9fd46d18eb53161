import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut or stalled, as a network does that fails. */
export type TcpProxy = {
  port: number
  /** Breaks every connection; new ones are made as before. */
  cut: () => void
  /** Breaks every connection; new ones lead to another server. */
  leadTo: (port: number) => void
  /** From now on nothing passes, and nobody is told: what is sent waits until `resume`. */
  stall: () => void
  resume: () => void
  stop: () => Promise<void>
}

type Pair = { near: Socket; far: Socket }

export async function startProxy(serverPort: number): Promise<TcpProxy> {
  let farPort = serverPort
  const pairs = new Set<Pair>()
  let isStalled = false
  const hold = ({ near, far }: Pair) => [near, far].map((socket) => socket.pause())
  const server = createServer((near) => {
    const pair = { near, far: connect(farPort, '127.0.0.1') }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      pair.near.destroy()
      pair.far.destroy()
    }
    for (const socket of [pair.near, pair.far]) socket.setNoDelay(true).on('error', end).on('close', end)
    pair.near.on('data', (bytes) => pair.far.write(bytes))
    pair.far.on('data', (bytes) => pair.near.write(bytes))
    if (isStalled) hold(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const cut = () => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  return {
    port: address.port,
    cut,
    leadTo: (port) => {
      farPort = port
      cut()
    },
    stall: () => {
      isStalled = true
      for (const pair of pairs) hold(pair)
    },
    resume: () => {
      isStalled = false
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.resume()
    },
    stop: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
