const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Maximum length of a line; the service itself accepts 1 MiB. */
export const MAX_LINE_BYTES = 64 * 2 ** 20

/** A line without its terminator. Of a line longer than `MAX_LINE_BYTES`, only the beginning. */
export type Line = { bytes: Uint8Array<ArrayBuffer>; isCut: boolean }

/** Number of bytes kept of an overlong line, which may contain the id of the message. */
const HEAD_BYTES = 65_536

/**
 * The lines of a byte stream, terminated by LF or CR LF; the last one may be unterminated. Blank lines are skipped. At
 * most one line is in memory.
 */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxBytes = MAX_LINE_BYTES): AsyncGenerator<Line> {
  let parts: Uint8Array[] = []
  let length = 0
  let isCut = false

  function take(part: Uint8Array): void {
    length += part.length
    parts.push(part)
    if (length <= maxBytes) return
    parts = [Buffer.concat(parts).subarray(0, HEAD_BYTES)]
    length = HEAD_BYTES
    isCut = true
  }

  function end(): Line {
    const bytes = withoutReturn(Buffer.concat(parts))
    const line = { bytes, isCut }
    parts = []
    length = 0
    isCut = false
    return line
  }

  for await (const chunk of input) {
    let start = 0
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, at))
      start = at + 1
      const line = end()
      if (!isBlank(line.bytes)) yield line
    }
    // A copy, since the stream may reuse its buffer.
    take(chunk.slice(start))
  }
  const last = end()
  if (!isBlank(last.bytes)) yield last
}

function withoutReturn(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN)
}

const LINE_END = Buffer.from('\n')

export type Output = ReturnType<typeof createOutput>

/**
 * Writes lines to the client in sequence, from all senders. `write` resolves when the bytes were written, and rejects if
 * they cannot be.
 */
export function createOutput(write: (bytes: Uint8Array) => Promise<void>) {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let last = Promise.resolve()
  return {
    /** Resolves when the line was written. Never rejects: once the client has closed the pipe, lines are dropped. */
    send: (line: Uint8Array) => {
      last = last.then(() => write(Buffer.concat([line, LINE_END]))).catch(() => close())
      return last
    },
    /** Resolves when all lines sent so far were written. */
    drained: () => last,
    /** Resolves once the client has closed the pipe. */
    closed,
  }
}
