const LINE_FEED = Buffer.from('\n')

/** Lines to the client, one after the other, whoever sends them. */
export type Output = {
  /** Resolves when the client's side has taken the line. Never rejects: once the client has closed its side, lines are dropped. */
  send: (line: Uint8Array) => Promise<void>
  /** Resolves when all lines sent so far were taken. */
  drained: () => Promise<void>
  /** Resolves once the client has closed its side. */
  closed: Promise<void>
}

/** `write` resolves when the bytes were taken, and rejects when they cannot be. */
export function createOutput(write: (bytes: Uint8Array) => Promise<void>): Output {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let last = Promise.resolve()
  return {
    send: (line) => {
      last = last.then(() => write(Buffer.concat([line, LINE_FEED]))).catch(() => close())
      return last
    },
    drained: () => last,
    closed,
  }
}
