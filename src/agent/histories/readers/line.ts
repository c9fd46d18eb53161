import type { Assistant } from '../../../transcripts/format.ts'
import { createLongLine, LONG_LINE_BYTES, reduceLine } from '../../../transcripts/reduce.ts'

const LINE_FEED = 0x0a

/** The bytes in parts, each of which ends with a line feed, but for the last one. */
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

/** A line of a file as it arrives in parts. Holds `LONG_LINE_BYTES` of it; of a longer one, what is to be kept. */
export function createLine(assistant: Assistant) {
  let parts: Uint8Array[] = []
  let untaken: Uint8Array[] = []
  let length = 0
  let long: ReturnType<typeof createLongLine> | undefined

  return {
    /** The last part ends with the line feed. It is to hold good until the line has been used; the others are copied. */
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
    /** The bytes that were added since this was last called. */
    take: (): Uint8Array[] => {
      const taken = untaken
      untaken = []
      return taken
    },
    /** The line without white space around it, reduced. */
    toText: (): string => (long === undefined ? reduceLine(assistant, Buffer.concat(parts).toString().trim()) : long.finish()),
  }
}
