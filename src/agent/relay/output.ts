const LINE_FEED = Buffer.from('\n')

/** Writes lines to the client in sequence, from all senders. */
export type Output = {
  /** Resolves when the line was written. Never rejects: once the client has closed the pipe, lines are dropped. */
  send: (line: Uint8Array) => Promise<void>
  /** Resolves when all lines sent so far were written. */
  drained: () => Promise<void>
  /** Resolves once the client has closed the pipe. */
  closed: Promise<void>
}

/** `write` resolves when the bytes were written, and rejects if they cannot be. */
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
