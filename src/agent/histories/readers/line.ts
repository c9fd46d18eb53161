import type { Assistant } from '../../../transcripts/format.ts'
import { createLongLine, findObject, LONG_LINE_BYTES, reduceLine } from '../../../transcripts/reduce.ts'

const LINE_FEED = 0x0a

/** Splits bytes into parts that end with a line feed, except possibly the last. */
export function* splitAfterLineFeeds(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end < 0 ? bytes.length : end + 1
    yield bytes.subarray(from, next)
    from = next
  }
}

export function isLineEnd(part: Uint8Array): boolean {
  return part.at(-1) === LINE_FEED
}

/**
 * A line of a file that arrives in parts. At most `LONG_LINE_BYTES` are kept as read; a longer line is reduced while it
 * arrives.
 */
export function createLine(assistant: Assistant) {
  let parts: Uint8Array[] = []
  let untaken: Uint8Array[] = []
  let length = 0
  let long: ReturnType<typeof createLongLine> | undefined

  return {
    /**
     * The last part ends with the line feed, and must stay valid until the line has been used; the others are copied.
     */
    add: (part: Uint8Array): void => {
      length += part.length
      const held = isLineEnd(part) ? part : Buffer.from(part)
      untaken.push(held)
      parts.push(held)
      if (long === undefined && length > LONG_LINE_BYTES) long = createLongLine(assistant)
      if (long === undefined) return
      for (const one of parts) long.push(one)
      parts = []
    },
    length: () => length,
    isLong: () => long !== undefined,
    /**
     * Whether the line is a JSON object, to which nothing can be added but blanks. A long line is never known to be
     * one.
     */
    isWholeObject: (): boolean => long === undefined && findObject(Buffer.concat(parts).toString()) !== undefined,
    /** The bytes added since the last call. */
    take: (): Uint8Array[] => {
      const taken = untaken
      untaken = []
      return taken
    },
    /** The trimmed and reduced line. */
    toText: (): string =>
      long === undefined ? reduceLine(assistant, Buffer.concat(parts).toString().trim()) : long.finish(),
  }
}
